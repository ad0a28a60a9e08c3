// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization
import VisionTasks

/// Which kind of labeler a `VisionImageLabeler` is.
public enum VisionImageLabelerType: UInt, Sendable {
  /// With a model that comes with the library; there is none here.
  case onDevice = 0
  /// With a service; there is none here.
  case cloud = 1
  /// With a model that AutoML Vision Edge trained.
  case onDeviceAutoML = 2
}

/// How a labeler with a model that AutoML Vision Edge trained works.
public final class VisionOnDeviceAutoMLImageLabelerOptions: NSObject {
  /// The least confidence of labels, from 0 to 1; 0.5 unless set to such a number.
  public var confidenceThreshold: Float = 0.5

  let model: LabelingModel

  /// Labeling with a model in a file.
  public init(localModel: AutoMLLocalModel) { model = .local(localModel) }

  /// Labeling with a model that has been downloaded.
  public init(remoteModel: AutoMLRemoteModel) { model = .remote(remoteModel) }
}

/// The guide for AutoML declares its options optional and then uses them as if they were not.
extension Optional where Wrapped == VisionOnDeviceAutoMLImageLabelerOptions {
  /// The least confidence of labels, from 0 to 1; without effect on nil.
  public var confidenceThreshold: Float {
    get { self?.confidenceThreshold ?? 0.5 }
    nonmutating set { self?.confidenceThreshold = newValue }
  }
}

/// A label of an image.
public final class VisionImageLabel: NSObject, @unchecked Sendable {
  /// The label: a line of the labels' file.
  public let text: String
  /// How sure the model is, from 0 to 1.
  public let confidence: NSNumber?
  /// The label's identifier in a knowledge graph; AutoML's have none.
  public let entityID: String?

  init(_ classification: ImageClassifier.Classification) {
    text = classification.label
    confidence = NSNumber(value: classification.score)
    entityID = nil
  }
}

/// What `VisionImageLabeler.process` calls when it is done: the labels, or the error.
public typealias VisionImageLabelerCallback = ([VisionImageLabel]?, (any Error)?) -> Void

/// Says what is in images: Firebase ML Kit's form.
///
/// It may be used by several threads; images are looked at one after the other. The model is
/// loaded when it is first needed.
public final class VisionImageLabeler: NSObject, @unchecked Sendable {
  /// Which kind of labeler this is.
  public let type: VisionImageLabelerType
  private let worker: Worker<ImageClassifier>

  fileprivate init(_ options: VisionOnDeviceAutoMLImageLabelerOptions?) {
    type = .onDeviceAutoML
    let given = options?.confidenceThreshold ?? 0.5
    let threshold = (0...1).contains(given) ? given : 0.5
    let model = options?.model
    worker = Worker("vision-image-labeler") { () throws(NSError) in
      guard let model else {
        throw Generation.firebase.error(.invalidArgument, "The options of the labeler are nil.")
      }
      return try model.classifier(.firebase, threshold: threshold, maxResults: nil)
    }
  }

  /// Says what is in an image.
  ///
  /// - Parameters:
  ///   - image: the image, as it is when this is called.
  ///   - completion: gets the labels, best first, or an `NSError`, on the completion queue.
  public func process(_ image: VisionImage, completion: @escaping VisionImageLabelerCallback) {
    worker.look(at: image, Self.labels, completion: completion)
  }

  /// Says what is in an image (an addition).
  ///
  /// - Returns: the labels, best first.
  /// - Throws: `NSError`.
  nonisolated(nonsending) public func process(
    _ image: VisionImage
  ) async throws -> [VisionImageLabel] {
    try await worker.look(at: image, Self.labels)
  }

  private static func labels(
    _ classifier: ImageClassifier, _ image: VisionImage.Snapshot
  ) throws(NSError) -> [VisionImageLabel] {
    try classifier.labels(of: image, .firebase).map(VisionImageLabel.init)
  }
}

/// Makes the labelers of Firebase ML Kit.
public final class Vision: NSObject, @unchecked Sendable {
  private let collectsStats = Mutex(true)
  private static let shared = Vision()

  private override init() {}

  /// What makes the labelers of the default app; no app needs to be configured.
  public class func vision() -> Vision { shared }

  /// What makes the labelers of an app.
  public class func vision(app: FirebaseApp) -> Vision { shared }

  /// Kept for programs that set it; nothing here collects statistics.
  public var isStatsCollectionEnabled: Bool {
    get { collectsStats.withLock { $0 } }
    set { collectsStats.withLock { $0 = newValue } }
  }

  /// A labeler with a model that AutoML Vision Edge trained, that works as the options say now.
  ///
  /// Where the original raises an exception, because the options cannot be used, the labeler
  /// delivers an error.
  public func onDeviceAutoMLImageLabeler(
    options: VisionOnDeviceAutoMLImageLabelerOptions
  ) -> VisionImageLabeler {
    VisionImageLabeler(options)
  }

  /// The same for options that may be nil, which the labeler then delivers as an error.
  public func onDeviceAutoMLImageLabeler(
    options: VisionOnDeviceAutoMLImageLabelerOptions?
  ) -> VisionImageLabeler {
    VisionImageLabeler(options)
  }
}
