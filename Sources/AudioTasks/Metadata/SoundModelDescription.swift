// SPDX-License-Identifier: Apache-2.0

public import Martlet
public import ModelTasks

/// What the metadata of a model that takes sound says, so that `AudioClassifier`, `AudioEmbedder`,
/// MediaPipe and the TensorFlow Lite Task Library can use it.
///
/// The first input is sound of a rate and a number of channels; outputs are classes with labels, or
/// vectors.
public struct SoundModelDescription: Sendable {
  /// Frames per second; nil for what is said already.
  public var sampleRate: Int?
  /// How many channels there are; nil for what is said already, or 1.
  public var channelCount: Int?
  /// The name of the input for people.
  public var inputName: String?
  /// Whether outputs are vectors rather than classes.
  public var givesVectors = false
  /// What is said about the results.
  public var results = ResultDescription()

  /// A description that says nothing yet.
  public init() {}

  /// The metadata and files of `model` after the description is put into them.
  ///
  /// - Parameters:
  ///   - metadata: what is said so far; nil for nothing.
  ///   - files: the files so far.
  ///   - model: the model.
  /// - Returns: the metadata and the files, which `Model.bytes(with:files:)` takes.
  /// - Throws: `TaskError` that says which part does not fit the model.
  public func added(
    to metadata: ModelMetadata?, files: [AssociatedFileContents], of model: Model
  ) throws(TaskError) -> (metadata: ModelMetadata, files: [AssociatedFileContents]) {
    var draft = try MetadataDraft(metadata, of: model)
    try describeInput(&draft)
    if givesVectors {
      try draft.describeVectors(results, usualName: "embedding")
    } else {
      try draft.describeClasses(results, usualName: "probability")
    }
    return draft.finished(files, adding: results.files)
  }

  private func describeInput(_ draft: inout MetadataDraft) throws(TaskError) {
    guard let tensor = draft.graph.inputs.first else {
      throw .incompatibleModel("the model has no input")
    }
    var entry = draft.metadata.subgraphs[0].inputs[0]
    var said: AudioProperties?
    if case .audio(let audio)? = entry.content?.properties { said = audio }
    guard let rate = sampleRate ?? said?.sampleRate else {
      throw .invalidOption("a model of sounds needs its sample rate")
    }
    let channels = channelCount ?? said?.channels ?? 1
    guard (1...Int(Int32.max)).contains(rate), (1...65_535).contains(channels) else {
      throw .invalidOption("sound of \(rate) samples in a second and \(channels) channels")
    }
    let sides = draft.dimensions(tensor)
    let count = sides.reduce(1) { product, side in
      side < 1 ? 0 : product.multipliedReportingOverflow(by: side).partialValue
    }
    guard count % channels == 0 else {
      throw .incompatibleModel(
        "the input of \(count) samples holds no whole frames of \(channels) channels")
    }
    entry.name = inputName ?? (draft.isNew ? "audio_clip" : entry.name)
    entry.content = Content(
      properties: .audio(AudioProperties(sampleRate: rate, channels: channels)),
      range: entry.content?.range)
    draft.metadata.subgraphs[0].inputs[0] = entry
  }
}
