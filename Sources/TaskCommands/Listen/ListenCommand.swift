// SPDX-License-Identifier: Apache-2.0

/// `martlet listen`: what is heard in sounds.
package enum ListenCommand {
  package static let description = CommandDescription(
    "listen", "Say what is heard in sounds.",
    discussion: """
      A sound is divided into windows of the length that the model takes; it is resampled and mixed \
      to the rate and channels in the model's metadata. A model that takes features of sound needs \
      --features, the model that computes them. With --melspectrogram and --embedding, the model \
      hears a word, as those of openWakeWord do; models of microWakeWord need no option, and a JSON \
      file beside them with their name is read for its cutoff and sliding window. --stream hears a \
      microphone or a radio for as long as its samples come.
      """,
    arguments: [
      ArgumentDescription("model", "A .tflite file.", completion: .files(["tflite"])),
      ArgumentDescription(
        "sound", "A WAV file; - is standard input.", isRepeated: true,
        completion: .files(SoundFiles.extensions)),
    ],
    options: [SoundStream.option] + ListenTask.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in
    let setup = try TaskSetup(arguments, console, model: arguments.argument("model") ?? "")
    let sounds = arguments.allArguments("sound")
    guard let stream = try SoundStream(arguments, sounds: sounds) else {
      let task = try ListenTask.prepared(setup).make()
      return try TaskRun(task, setup).run(files: sounds)
    }
    return try stream.run(
      try ListenTask(setup: setup).listener()(), try OutputForm(arguments), setup)
  }
}
