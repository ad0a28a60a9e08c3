// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import Martlet
import ModelChecks
import ModelTasks
import TextTasks
import VisionTasks

/// The options of `metadata add` that describe models of one task, and what they say together.
enum TaskMetadataOptions {
  static let descriptions: [OptionDescription] = [
    .value(
      "task", "task",
      "What the model is for, where options and labels do not tell: \(ModelTask.words).",
      completion: .words(ModelTask.allCases.map(\.rawValue))),
    .choice(
      "activation", SegmentationActivation.allCases.map { "\($0)" },
      "What makes confidences of a segmenter's values, for MediaPipe."),
    .choice(
      "output-range", OutputPixelRange.allCases.map(\.rawValue),
      "The numbers of an image that the model makes: 0 to 255, 0 to 1, or -1 to 1."),
    .value("sample-rate", "hertz", "The samples in a second of the sound that the model takes."),
    .value("channels", "n", "The channels of that sound.", defaultValue: "1"),
    .value(
      "vocabulary", "file",
      "The words of a tokenizer: BERT's without --delimiter and --sentence-piece.",
      completion: .files(["txt", "vocab"])),
    .value(
      "sentence-piece", "file", "The model of a SentencePiece tokenizer.",
      completion: .files(["model"])),
    .value(
      "delimiter", "regex", "What lies between words, for a tokenizer by regular expression."),
    .value(
      "token-inputs", "names", "The names of three inputs in order: ids,mask,segment_ids or else."),
    .value(
      "answer-outputs", "names",
      "The names of two outputs in order: end_logits,start_logits or the other way."),
  ]

  private static let soundOptions = ["sample-rate", "channels"]
  private static let textOptions = [
    "vocabulary", "sentence-piece", "delimiter", "token-inputs", "answer-outputs",
  ]
  private static let imageOptions = [
    "input", "mean", "std", "color-space", "outputs", "activation", "output-range",
  ]

  /// The metadata and files after all that options say is put into them.
  static func added(
    to metadata: ModelMetadata?, files: [AssociatedFileContents], of model: Model, path: String,
    _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> (metadata: ModelMetadata, files: [AssociatedFileContents]) {
    let image = try ImageMetadataOptions.description(arguments, console)
    let made: any MetadataDescription =
      switch try subject(model, arguments) {
      case .sound: try soundDescription(image, arguments)
      case .text: try text(image, arguments, console)
      case .image, .features: try self.image(image, arguments)
      }
    do throws(VisionError) {
      return try made.added(files, to: metadata, of: model)
    } catch {
      throw CommandError(error, file: path)
    }
  }

  /// What the model takes: by the task, or by the options that only one subject has.
  private static func subject(
    _ model: Model, _ arguments: ParsedArguments
  ) throws(CommandError) -> TaskFit.Subject {
    let subject: TaskFit.Subject
    switch try arguments.task() {
    case .listen: subject = .sound
    case .read, .answer: subject = .text
    case .embed:
      subject = TaskRecognition(model).fits.first { $0.task == .embed }?.subject ?? .image
    case .label, .detect, .segment, .faces, .hands, .pose, .transform, .depth: subject = .image
    case nil:
      let given = { (names: [String]) in names.contains { arguments.value($0) != nil } }
      subject = given(soundOptions) ? .sound : given(textOptions) ? .text : .image
    }
    let strange: [String] =
      switch subject {
      case .image, .features: soundOptions + textOptions
      case .sound: imageOptions + textOptions
      case .text: imageOptions + soundOptions
      }
    for name in strange where arguments.value(name) != nil {
      throw arguments.usage("--\(name) for a model that takes \(subject.rawValue)s")
    }
    return subject
  }

  /// The description of a model of images.
  private static func image(
    _ image: ImageModelDescription, _ arguments: ParsedArguments
  ) throws(CommandError) -> ImageModelDescription {
    var image = image
    image.activation = SegmentationActivation.allCases.first {
      "\($0)" == arguments.value("activation")
    }
    image.outputRange = arguments.value("output-range").flatMap(OutputPixelRange.init)
    let task = try arguments.task()
    image.product =
      switch task {
      case .segment: .masks
      case .transform, .depth: .image
      case .embed: .vectors
      case .faces, .hands, .pose: .others
      case nil: image.activation != nil ? .masks : image.outputRange != nil ? .image : .automatic
      case .label, .detect, .listen, .read, .answer: .automatic
      }
    guard image.product == .masks || image.activation == nil else {
      throw arguments.usage("--activation is for --task segment")
    }
    guard image.product == .image || image.outputRange == nil else {
      throw arguments.usage("--output-range is for --task transform or depth")
    }
    return image
  }

  private static func soundDescription(
    _ image: ImageModelDescription, _ arguments: ParsedArguments
  ) throws(CommandError) -> SoundModelDescription {
    var sound = SoundModelDescription()
    sound.sampleRate = try arguments.integer("sample-rate", in: 1...1 << 30)
    sound.channelCount = try arguments.integer("channels", in: 1...65_535)
    sound.inputName = image.inputName
    sound.givesVectors = try arguments.task() == .embed
    sound.results = image.results
    return sound
  }

  private static func text(
    _ image: ImageModelDescription, _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> TextModelDescription {
    var text = TextModelDescription()
    text.tokenizer = try tokenizer(arguments, console)
    text.inputNames = words(arguments, "token-inputs")
    if text.inputNames.isEmpty, let name = image.inputName { text.inputNames = [name] }
    text.answerNames = words(arguments, "answer-outputs")
    text.product =
      switch try arguments.task() {
      case .embed: .vectors
      case .answer: .answers
      case _: text.answerNames.isEmpty ? .classes : .answers
      }
    text.results = image.results
    return text
  }

  private static func tokenizer(
    _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> TextModelDescription.TokenizerDescription? {
    let vocabulary = try arguments.value("vocabulary").map { path throws(CommandError) in
      try ImageMetadataOptions.contents(of: path, console)
    }
    let delimiter = arguments.value("delimiter")
    if let path = arguments.value("sentence-piece") {
      guard delimiter == nil else { throw arguments.usage("--delimiter beside --sentence-piece") }
      return .sentencePiece(
        model: try ImageMetadataOptions.contents(of: path, console), vocabulary: vocabulary)
    }
    guard let vocabulary else {
      guard delimiter == nil else { throw arguments.usage("--delimiter without --vocabulary") }
      return nil
    }
    return delimiter.map { .regex(delimiter: $0, vocabulary: vocabulary) }
      ?? .bert(vocabulary: vocabulary)
  }

  /// The names in an option's list.
  private static func words(_ arguments: ParsedArguments, _ option: String) -> [String] {
    (arguments.value(option) ?? "").split(separator: ",").map(String.init)
  }
}

/// What the metadata of a model says, whatever the model takes.
private protocol MetadataDescription {
  /// The metadata and files of `model` after the description is put into them.
  func added(
    _ files: [AssociatedFileContents], to metadata: ModelMetadata?, of model: Model
  ) throws(VisionError) -> (metadata: ModelMetadata, files: [AssociatedFileContents])
}

extension ImageModelDescription: MetadataDescription {
  fileprivate func added(
    _ files: [AssociatedFileContents], to metadata: ModelMetadata?, of model: Model
  ) throws(VisionError) -> (metadata: ModelMetadata, files: [AssociatedFileContents]) {
    try added(to: metadata, files: files, of: model)
  }
}

extension SoundModelDescription: MetadataDescription {
  fileprivate func added(
    _ files: [AssociatedFileContents], to metadata: ModelMetadata?, of model: Model
  ) throws(VisionError) -> (metadata: ModelMetadata, files: [AssociatedFileContents]) {
    do throws(TaskError) { return try added(to: metadata, files: files, of: model) } catch {
      throw VisionError(error)
    }
  }
}

extension TextModelDescription: MetadataDescription {
  fileprivate func added(
    _ files: [AssociatedFileContents], to metadata: ModelMetadata?, of model: Model
  ) throws(VisionError) -> (metadata: ModelMetadata, files: [AssociatedFileContents]) {
    do throws(TaskError) { return try added(to: metadata, files: files, of: model) } catch {
      throw VisionError(error)
    }
  }
}
