// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import Formatting
import JSONDocuments
import Martlet

/// What is heard in sounds.
struct ListenTask {
  private let setup: TaskSetup
  private let decode: ([UInt8], String) throws(CommandError) -> AudioClip

  /// The options that say what is heard.
  static let descriptions: [OptionDescription] =
    SoundFiles.descriptions + [
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
    ] + LabelOptions.descriptions(of: "a window") + ComputationOptions.descriptions

  /// The task that the arguments ask for.
  static func prepared(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    let arguments = setup.arguments
    let task = ListenTask(
      setup: setup, decode: try SoundFiles.decoder(arguments, setup.console.limits))
    guard (arguments.value("melspectrogram") == nil) == (arguments.value("embedding") == nil) else {
      throw arguments.usage("--melspectrogram and --embedding go together")
    }
    let model = try setup.mainModel()
    return arguments.value("melspectrogram") == nil
      ? try task.classifying(model) : try task.detecting(model)
  }

  /// The task that says what `ask` hears.
  private func task(
    columns: [String], _ ask: @escaping (AudioClip) throws(AudioTaskError) -> TaskAnswer
  ) -> AskedTask {
    let (model, decode) = (setup.model, decode)
    return AskedTask(
      "listen", model: model, columns: ["milliseconds"] + columns, limits: setup.console.limits,
      .sound({ (bytes, location) throws(CommandError) in
        let clip = try decode(bytes, location)
        do throws(AudioTaskError) { return try ask(clip) } catch {
          throw CommandError(error, model: model, sound: location)
        }
      }))
  }

  private func classifying(_ model: Model) throws(CommandError) -> PreparedTask {
    let (arguments, console) = (setup.arguments, setup.console)
    let labels = try LabelOptions(arguments, console)
    var options = AudioClassifier.Options()
    options.classes = try ClassificationOptions(arguments, labels)
    options.input = try SoundFiles.input(arguments)
    options.hop = try arguments.integer("hop", in: 1...1 << 28)
    options.interpreter = setup.computation.interpreter
    if let path = arguments.value("features") {
      options.features = FeatureModel(
        try console.model(at: path),
        hop: try arguments.integer("features-hop", default: 320, in: 1...1 << 20))
    }
    return PreparedTask { [options] () throws(CommandError) in
      let classifier: AudioClassifier
      do throws(AudioTaskError) { classifier = try AudioClassifier(model, options: options) } catch
      {
        throw CommandError(error, model: setup.model)
      }
      try labels.check(classifier.labels, setup)
      return task(columns: TaskAnswer.classColumns) { clip throws(AudioTaskError) in
        Self.answer(try classifier.classify(clip))
      }
    }
  }

  private static func answer(_ results: [AudioClassifier.Result]) -> TaskAnswer {
    var answer = TaskAnswer()
    var lines: [String] = []
    var windows: [JSON] = []
    for result in results {
      let window = TaskAnswer(result.heads)
      lines.append("  at \(result.milliseconds) ms")
      lines += window.lines.map { "  \($0)" }
      answer.rows += window.rows.map { ["\(result.milliseconds)"] + $0 }
      windows.append(
        JSON.record(["milliseconds": .integer(result.milliseconds)]).adding(window.members))
    }
    answer.lines = windows.isEmpty ? ["  no sound"] : lines
    answer.members = ["windows": .array(windows)]
    return answer
  }

  private func detecting(_ model: Model) throws(CommandError) -> PreparedTask {
    let (arguments, console) = (setup.arguments, setup.console)
    let melspectrogram = try console.model(at: arguments.value("melspectrogram") ?? "")
    let embedding = try console.model(at: arguments.value("embedding") ?? "")
    var options = WakeWordDetector.Options()
    options.interpreter = setup.computation.interpreter
    if let threshold = try arguments.number("threshold") { options.threshold = Float(threshold) }
    let name = "word"
    let detector = { [options] () throws(AudioTaskError) in
      try WakeWordDetector(
        melspectrogram: melspectrogram, embedding: embedding, words: [name: model],
        options: options)
    }
    return PreparedTask { () throws(CommandError) in
      // A worker tells before its first record whether the models fit.
      if setup.use == .records {
        do throws(AudioTaskError) { _ = try detector() } catch {
          throw CommandError(error, model: setup.model)
        }
      }
      return task(columns: ["score"]) { clip throws(AudioTaskError) in
        // A sound is a stream of its own.
        Self.answer(try detector().process(clip), of: name)
      }
    }
  }

  private static func answer(
    _ results: [WakeWordDetector.Result], of name: String
  ) -> TaskAnswer {
    var answer = TaskAnswer()
    var lines: [String] = []
    var heard: [JSON] = []
    var best: Float = 0
    for result in results {
      let score = result.scores[name] ?? result.scores.values.max() ?? 0
      best = max(best, score)
      answer.rows.append(["\(result.milliseconds)", "\(score)"])
      guard !result.detections.isEmpty else { continue }
      lines.append("  heard at \(result.milliseconds) ms, \(Double(score).fixed(4))")
      heard.append(["milliseconds": .integer(result.milliseconds), "score": .float(score)])
    }
    answer.lines =
      heard.isEmpty ? ["  not heard; the best score is \(Double(best).fixed(4))"] : lines
    answer.members = ["heard": .array(heard), "best": .float(best)]
    return answer
  }
}
