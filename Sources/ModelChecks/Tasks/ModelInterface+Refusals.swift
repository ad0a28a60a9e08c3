// SPDX-License-Identifier: Apache-2.0

internal import AudioTasks
internal import Martlet
internal import ModelTasks
internal import TextTasks
internal import VisionTasks

/// A model without its metadata, made when it is first asked for.
final class BareModelCopy {
  /// The model; nil where it has no metadata, or cannot be written without.
  private(set) lazy var model: Model? = {
    guard (try? original.metadata()) != nil,
      let bytes = try? original.bytes(with: nil, files: [])
    else { return nil }
    return try? Model(bytes: bytes, limits: original.limits)
  }()
  private let original: Model

  init(_ original: Model) { self.original = original }
}

extension ModelInterface {
  /// What the model fits of a task, where it does: as it is, or without its metadata and with the
  /// options that replace that.
  func fit(
    _ task: ModelTask, _ subject: TaskFit.Subject, _ reason: String, isSaid: Bool = false
  ) -> TaskFit? {
    let lack = refusal(task, subject)
    if lack != nil {
      guard refusal(task, subject, of: bare.model ?? model, isBare: true) == nil else { return nil }
    }
    return TaskFit(task, subject, reason, lack: lack, isSaid: isSaid)
  }

  /// Why a task refuses the model as it is; nil where it does not.
  func refusal(_ task: ModelTask, _ subject: TaskFit.Subject) -> String? {
    refusal(task, subject, of: model, isBare: false)
  }

  private func refusal(
    _ task: ModelTask, _ subject: TaskFit.Subject, of model: Model, isBare: Bool
  ) -> String? {
    switch (task, subject) {
    case (.faces, _), (.hands, _), (.pose, _):
      return LandmarkPart.told(by: model)?.fit.task == task
        ? nil : "no model of \(task.rawValue) is known with such inputs and outputs"
    case (.label, .image), (.detect, .image), (.segment, .image), (.transform, .image),
      (.depth, .image), (.embed, .image):
      return imageRefusal(task, of: model, isBare: isBare)
    case (.listen, .sound), (.embed, .sound), (.listen, .features):
      return soundRefusal(task, of: model, isBare: isBare)
    case (.read, .text), (.answer, .text), (.embed, .text):
      return textRefusal(task, of: model)
    case (_, let subject): return "the model takes \(subject.words)"
    }
  }

  /// Reference kernels: nothing is packed.
  private var interpreterOptions: Interpreter.Options {
    var options = Interpreter.Options()
    options.kernels = .reference
    return options
  }

  private func imageRefusal(_ task: ModelTask, of model: Model, isBare: Bool) -> String? {
    var images = Preprocessing()
    if isBare { images.partialNormalization = .standardDeviation([127.5]) }
    do throws(VisionError) {
      switch task {
      case .detect: try checkDetector(model, images)
      case .segment:
        var options = ImageSegmenter.Options()
        (options.preprocessing, options.interpreter) = (images, interpreterOptions)
        _ = try ImageSegmenter(model, options: options)
      case .transform:
        var options = ImageTransformer.Options()
        (options.preprocessing, options.interpreter) = (images, interpreterOptions)
        _ = try ImageTransformer(model, options: options)
      case .depth:
        var options = DepthEstimator.Options()
        (options.preprocessing, options.interpreter) = (images, interpreterOptions)
        _ = try DepthEstimator(model, options: options)
      case .embed:
        var options = ImageEmbedder.Options()
        (options.preprocessing, options.interpreter) = (images, interpreterOptions)
        _ = try ImageEmbedder(model, options: options)
      case _:
        var options = ImageClassifier.Options()
        (options.preprocessing, options.interpreter) = (images, interpreterOptions)
        _ = try ImageClassifier(model, options: options)
      }
      return nil
    } catch {
      return error.sentence
    }
  }

  private func checkDetector(_ model: Model, _ images: Preprocessing) throws(VisionError) {
    var options = ObjectDetector.Options()
    (options.preprocessing, options.interpreter) = (images, interpreterOptions)
    _ = try ObjectDetector(model, options: options)
    // Four outputs are told apart by their values, if by nothing else; boxes have four numbers.
    let hasBoxes = outputs.contains { $0.shape.count == 3 && $0.shape[2] == 4 }
    guard outputs.count != 4 || hasBoxes || saysDetections || endsInDetections else {
      throw .incompatibleModel("None of the four outputs is 1 x n x 4, as boxes are.")
    }
  }

  private func soundRefusal(_ task: ModelTask, of model: Model, isBare: Bool) -> String? {
    var input = AudioInput.Options()
    if isBare { input.sampleRate = 16_000 }
    do throws(AudioTaskError) {
      if task == .listen, MicroWakeWordDetector.takes(model) {
        var options = MicroWakeWordDetector.Options()
        options.interpreter = interpreterOptions
        _ = try MicroWakeWordDetector(model, options: options)
      } else if task == .embed {
        var options = AudioEmbedder.Options()
        (options.input, options.interpreter) = (input, interpreterOptions)
        _ = try AudioEmbedder(model, options: options)
      } else {
        var options = AudioClassifier.Options()
        (options.input, options.interpreter) = (input, interpreterOptions)
        _ = try AudioClassifier(model, options: options)
      }
      return nil
    } catch {
      return error.description
    }
  }

  private func textRefusal(_ task: ModelTask, of model: Model) -> String? {
    do throws(TaskError) {
      switch task {
      case .answer: _ = try QuestionAnswerer(model, options: interpreterOptions)
      case .embed: _ = try TextEmbedder(model, interpreter: interpreterOptions)
      case _:
        var options = TextClassifier.Options()
        options.interpreter = interpreterOptions
        _ = try TextClassifier(model, options: options)
      }
      return nil
    } catch {
      return error.description
    }
  }
}

extension VisionError {
  /// What is wrong.
  var sentence: String {
    switch self {
    case .inference(let error): error.sentence
    case .incompatibleModel(let reason), .labels(let reason), .invalidOption(let reason): reason
    case .manifest(let path, let reason): "\(path): \(reason)"
    case .image(let error): "\(error)"
    }
  }
}

extension TaskFit.Subject {
  /// What is taken, with its article.
  var words: String {
    switch self {
    case .image: "an image"
    case .sound: "a sound"
    case .text: "a text"
    case .features: "no image, sound or text"
    }
  }
}
