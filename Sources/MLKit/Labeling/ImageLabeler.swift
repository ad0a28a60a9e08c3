// SPDX-License-Identifier: Apache-2.0

public import Foundation
import VisionTasks

/// How an `ImageLabeler` works; its subclass says with which model.
public class CommonImageLabelerOptions: NSObject {
  /// The least confidence of labels, from 0 to 1; nil and other numbers take the threshold of the
  /// model's metadata, or else none.
  public var confidenceThreshold: NSNumber?

  override init() {}
}

/// How an `ImageLabeler` with a custom model works.
public final class CustomImageLabelerOptions: CommonImageLabelerOptions {
  /// The most labels; numbers below 1 count as 10.
  public var maxResultCount = 10

  let model: LabelingModel

  /// Labeling with a model in a file.
  public init(localModel: LocalModel) { model = .local(localModel) }

  /// Labeling with a model that has been downloaded.
  public init(remoteModel: CustomRemoteModel) { model = .remote(remoteModel) }
}

/// Labeling with a model that AutoML Vision Edge trained: a former name.
@available(*, deprecated, message: "use CustomImageLabelerOptions")
public final class AutoMLImageLabelerOptions: CommonImageLabelerOptions {
  let model: LabelingModel

  /// Labeling with a model in a file; the threshold is 0.5 unless set.
  public init(localModel: AutoMLImageLabelerLocalModel) { model = .local(localModel) }

  /// Labeling with a model that has been downloaded; the threshold is 0.5 unless set.
  public init(remoteModel: AutoMLImageLabelerRemoteModel) { model = .remote(remoteModel) }
}

/// What `ImageLabeler.process` calls when it is done: the labels, or the error.
public typealias ImageLabelingCallback = ([ImageLabel]?, (any Error)?) -> Void

/// A label of an image.
public final class ImageLabel: NSObject, Sendable {
  /// The label; empty where the model has none.
  public let text: String
  /// The location of the label among all of the model's.
  public let index: Int
  /// How sure the model is, most often from 0 to 1.
  public let confidence: Float

  init(_ classification: ImageClassifier.Classification) {
    text = classification.label
    index = classification.index
    confidence = classification.score
  }

  /// The label and how sure the model is.
  public override var description: String { "\(text) (\(index)): \(confidence)" }
}

/// Says what is in images.
///
/// It may be used by several threads; images are looked at one after the other. The model is
/// loaded when it is first needed.
public final class ImageLabeler: NSObject, @unchecked Sendable {
  private let worker: Worker<ImageClassifier>

  /// A labeler that works as the options say now.
  public class func imageLabeler(options: CommonImageLabelerOptions) -> ImageLabeler {
    ImageLabeler(options)
  }

  private init(_ options: CommonImageLabelerOptions) {
    let threshold = options.confidenceThreshold?.confidence
    let make: () throws(NSError) -> ImageClassifier
    switch options {
    case let custom as CustomImageLabelerOptions:
      let model = custom.model
      let count = custom.maxResultCount > 0 ? custom.maxResultCount : 10
      make = { () throws(NSError) in
        try model.classifier(.mlKit, threshold: threshold, maxResults: count)
      }
    case let former as any FormerLabelerOptions:
      let model = former.labelingModel
      make = { () throws(NSError) in
        try model.classifier(.mlKit, threshold: threshold ?? 0.5, maxResults: nil)
      }
    case _:
      make = { () throws(NSError) in
        throw Generation.mlKit.error(.invalidArgument, "The options name no model.")
      }
    }
    worker = Worker("image-labeler", make: make)
  }

  /// Says what is in an image.
  ///
  /// - Parameters:
  ///   - image: the image, as it is when this is called.
  ///   - completion: gets the labels, best first, or an `NSError`, on the completion queue.
  public func process(
    _ image: any MLKitCompatibleImage, completion: @escaping ImageLabelingCallback
  ) {
    worker.look(at: image, Self.labels, completion: completion)
  }

  /// Says what is in an image (an addition).
  ///
  /// - Returns: the labels, best first.
  /// - Throws: `NSError`.
  nonisolated(nonsending) public func process(
    _ image: any MLKitCompatibleImage
  ) async throws -> [ImageLabel] {
    try await worker.look(at: image, Self.labels)
  }

  /// Says what is in an image, on this thread.
  ///
  /// - Returns: the labels, best first.
  /// - Throws: `NSError`; of code `failedPrecondition` on the main thread, where the original
  ///   raises an exception (see `MLKitSettings.completionQueue`).
  public func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
    try worker.lookHere(at: image, Self.labels)
  }

  private static func labels(
    _ classifier: ImageClassifier, _ image: VisionImage.Snapshot
  ) throws(NSError) -> [ImageLabel] {
    try classifier.labels(of: image, .mlKit).map(ImageLabel.init)
  }
}

/// Options of a former name, whose type warns where it is used.
private protocol FormerLabelerOptions {
  var labelingModel: LabelingModel { get }
}

@available(*, deprecated)
extension AutoMLImageLabelerOptions: FormerLabelerOptions {
  fileprivate var labelingModel: LabelingModel { model }
}
