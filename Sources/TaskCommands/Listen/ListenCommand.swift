// SPDX-License-Identifier: Apache-2.0

/// `martlet listen`: what is heard in sounds.
package enum ListenCommand {
  package static let description = CommandDescription(
    "listen", "Say what is heard in sounds.",
    discussion: """
      A sound is divided into windows of the length that the model takes; it is resampled and mixed \
      to the rate and channels in the model's metadata. A model that takes features of sound needs \
      --features, the model that computes them. With --melspectrogram and --embedding, the model \
      hears a word, as those of openWakeWord do.
      """,
    arguments: [
      ArgumentDescription("model", "A .tflite file.", completion: .files(["tflite"])),
      ArgumentDescription(
        "sound", "A WAV file; - is standard input.", isRepeated: true,
        completion: .files(SoundFiles.extensions)),
    ],
    options: ListenTask.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in
    let setup = try TaskSetup(arguments, console, model: arguments.argument("model") ?? "")
    let task = try ListenTask.prepared(setup).make()
    return try TaskRun(task, arguments, setup.computation, console)
      .run(files: arguments.allArguments("sound"))
  }
}
