// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import Formatting
import JSONDocuments
import Martlet

/// `martlet listen`: what is heard in sounds.
package struct ListenCommand {
  private let arguments: ParsedArguments
  private let console: any Console
  private let computation: ComputationOptions
  private let model: String
  private let sounds: [String]
  private let decode: ([UInt8], String) throws(CommandError) -> AudioClip

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
    options: SoundFiles.descriptions + [
      .value(
        "features", "file", "A model that turns pieces of sound into rows of features.",
        completion: .files(["tflite"])),
      .value(
        "features-hop", "samples", "From the beginning of a piece to the next.",
        defaultValue: "320"),
      .value(
        "melspectrogram", "file", "openWakeWord's model that makes spectrograms.",
        completion: .files(["tflite"])),
      .value(
        "embedding", "file", "openWakeWord's model that makes embeddings of them.",
        completion: .files(["tflite"])),
      .leastScore,
    ] + LabelOptions.descriptions(of: "a window") + ComputationOptions.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in try ListenCommand(arguments, console).run() }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    self.arguments = arguments
    self.console = console
    computation = try ComputationOptions(arguments)
    model = arguments.argument("model") ?? ""
    sounds = arguments.allArguments("sound")
    decode = try SoundFiles.decoder(arguments, console)
    guard (arguments.value("melspectrogram") == nil) == (arguments.value("embedding") == nil) else {
      throw arguments.usage("--melspectrogram and --embedding go together")
    }
  }

  private func run() throws(CommandError) -> ExitCode {
    let isWakeWord = arguments.value("melspectrogram") != nil
    let columns = ["milliseconds"] + (isWakeWord ? ["score"] : TaskAnswer.classColumns)
    let task = TaskRun(
      name: "listen", subject: .sound, model: model, columns: columns, computation: computation,
      form: try OutputForm(arguments), console: console)
    let loaded = try console.model(at: model)
    let ask: Asking
    if isWakeWord {
      ask = try detecting(loaded)
    } else {
      ask = try classifying(loaded)
    }
    return try task.run(sounds) { path throws(CommandError) in
      let clip = try decode(try console.read(path), path)
      do throws(AudioTaskError) { return try ask(clip) } catch {
        throw CommandError(error, model: model, sound: path)
      }
    }
  }

  /// What a task says of a sound.
  private typealias Asking = (AudioClip) throws(AudioTaskError) -> TaskAnswer

  /// A task, with the command's errors.
  private func made<Made>(
    _ make: () throws(AudioTaskError) -> Made
  ) throws(CommandError) -> Made {
    do throws(AudioTaskError) { return try make() } catch {
      throw CommandError(error, model: model)
    }
  }

  private func classifying(_ model: Model) throws(CommandError) -> Asking {
    let labels = try LabelOptions(arguments, console)
    var options = AudioClassifier.Options()
    options.classes = try ClassificationOptions(arguments, labels)
    options.input = try SoundFiles.input(arguments)
    options.hop = try arguments.integer("hop", in: 1...1 << 28)
    options.interpreter = computation.interpreter
    if let path = arguments.value("features") {
      options.features = FeatureModel(
        try console.model(at: path),
        hop: try arguments.integer("features-hop", default: 320, in: 1...1 << 20))
    }
    let classifier = try made { [options] () throws(AudioTaskError) in
      try AudioClassifier(model, options: options)
    }
    try labels.checkNames(classifier.labels, command: arguments.command)
    if classifier.labels.allSatisfy({ $0 == nil }) { console.note(LabelOptions.missingLabels) }
    return { clip throws(AudioTaskError) in
      var answer = TaskAnswer()
      var windows: [JSON] = []
      for result in try classifier.classify(clip) {
        let window = TaskAnswer(result.heads)
        answer.lines.append("  at \(result.milliseconds) ms")
        answer.lines += window.lines.map { "  \($0)" }
        answer.rows += window.rows.map { ["\(result.milliseconds)"] + $0 }
        windows.append(
          JSON.record(["milliseconds": .integer(result.milliseconds)]).adding(window.members))
      }
      if windows.isEmpty { answer.lines = ["  no sound"] }
      answer.members = ["windows": .array(windows)]
      return answer
    }
  }

  private func detecting(_ model: Model) throws(CommandError) -> Asking {
    let melspectrogram = try console.model(at: arguments.value("melspectrogram") ?? "")
    let embedding = try console.model(at: arguments.value("embedding") ?? "")
    var options = WakeWordDetector.Options()
    options.interpreter = computation.interpreter
    if let threshold = try arguments.number("threshold") { options.threshold = Float(threshold) }
    let name = "word"
    return { [options] clip throws(AudioTaskError) in
      // A sound is a stream of its own.
      let detector = try WakeWordDetector(
        melspectrogram: melspectrogram, embedding: embedding, words: [name: model],
        options: options)
      var answer = TaskAnswer()
      var heard: [JSON] = []
      var best: Float = 0
      for result in try detector.process(clip) {
        let score = result.scores[name] ?? result.scores.values.max() ?? 0
        best = max(best, score)
        answer.rows.append(["\(result.milliseconds)", "\(score)"])
        guard !result.detections.isEmpty else { continue }
        answer.lines.append("  heard at \(result.milliseconds) ms, \(Double(score).fixed(4))")
        heard.append(["milliseconds": .integer(result.milliseconds), "score": .float(score)])
      }
      if heard.isEmpty {
        answer.lines = ["  not heard; the best score is \(Double(best).fixed(4))"]
      }
      answer.members = ["heard": .array(heard), "best": .float(best)]
      return answer
    }
  }
}
