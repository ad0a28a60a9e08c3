// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import Martlet

/// What is heard in sounds.
struct ListenTask {
  let setup: TaskSetup

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
    let decode = try SoundFiles.decoder(setup.arguments, setup.console.limits)
    let makeListener = try ListenTask(setup: setup).listener()
    let model = setup.model
    return PreparedTask { () throws(CommandError) in
      let listener = try makeListener()
      return AskedTask(
        "listen", model: model, columns: listener.columns, limits: setup.console.limits,
        .sound({ (bytes, location) throws(CommandError) in
          let clip = try decode(bytes, location)
          do throws(AudioTaskError) { return try listener.answer(clip) } catch {
            throw CommandError(error, model: model, sound: location)
          }
        }))
    }
  }

  /// What makes listeners of the models that the arguments name.
  func listener() throws(CommandError) -> () throws(CommandError) -> SoundListener {
    let arguments = setup.arguments
    guard (arguments.value("melspectrogram") == nil) == (arguments.value("embedding") == nil) else {
      throw arguments.usage("--melspectrogram and --embedding go together")
    }
    let model = try setup.mainModel()
    if arguments.value("melspectrogram") != nil { return try detecting(model) }
    if arguments.value("features") == nil, MicroWakeWordDetector.takes(model) {
      return try hearing(model)
    }
    return try classifying(model)
  }

  private func classifying(
    _ model: Model
  ) throws(CommandError) -> () throws(CommandError) -> SoundListener {
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
    return { [setup, options] () throws(CommandError) in
      let classifier: AudioClassifier
      do throws(AudioTaskError) { classifier = try AudioClassifier(model, options: options) } catch
      {
        throw CommandError(error, model: setup.model)
      }
      try labels.check(classifier.labels, setup)
      return SoundListener(classifier)
    }
  }

  private func detecting(
    _ model: Model
  ) throws(CommandError) -> () throws(CommandError) -> SoundListener {
    let (arguments, console) = (setup.arguments, setup.console)
    let melspectrogram = try console.model(at: arguments.value("melspectrogram") ?? "")
    let embedding = try console.model(at: arguments.value("embedding") ?? "")
    var options = WakeWordDetector.Options()
    options.interpreter = setup.computation.interpreter
    if let threshold = try arguments.number("threshold") { options.threshold = Float(threshold) }
    return { [setup, options] () throws(CommandError) in
      do throws(AudioTaskError) {
        return SoundListener(
          try WakeWordDetector(
            melspectrogram: melspectrogram, embedding: embedding,
            words: [SoundListener.word: model], options: options))
      } catch {
        throw CommandError(error, model: setup.model)
      }
    }
  }

  /// Listens for the word of a model of microWakeWord, as the manifest beside it says.
  private func hearing(
    _ model: Model
  ) throws(CommandError) -> () throws(CommandError) -> SoundListener {
    var options = try WakeWordManifest.options(besideModel: setup.model, setup.console)
    options.interpreter = setup.computation.interpreter
    if let threshold = try setup.arguments.number("threshold") {
      options.threshold = Float(threshold)
    }
    return { [setup, options] () throws(CommandError) in
      do throws(AudioTaskError) {
        return SoundListener(try MicroWakeWordDetector(model, options: options))
      } catch {
        throw CommandError(error, model: setup.model)
      }
    }
  }
}
