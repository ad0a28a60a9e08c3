// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import VisionTasks

/// Whether images have to do with each other.
///
/// Not an enumeration, as in the original: a `switch` needs a `default`.
public struct ObjectDetectorMode: RawRepresentable, Hashable, Sendable {
  /// The number of the mode.
  public let rawValue: Int

  /// The mode of a number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Each image is on its own; objects have no tracking IDs.
  public static let singleImage = ObjectDetectorMode(rawValue: 0)
  /// Images follow each other, as frames of a video; objects keep their tracking IDs.
  public static let stream = ObjectDetectorMode(rawValue: 1)
}

/// How an `ObjectDetector` works; its subclasses say with which models.
public class CommonObjectDetectorOptions: NSObject {
  /// Whether a classifier says what objects are.
  public var shouldEnableClassification = false
  /// Whether up to five objects are found, or only the most prominent one.
  public var shouldEnableMultipleObjects = false
  /// Whether images have to do with each other.
  public var detectorMode = ObjectDetectorMode.stream

  /// The model that finds objects; nil for the bundled localizer, which is not the original's (an
  /// addition).
  ///
  /// Any SSD model that ends in `TFLite_Detection_PostProcess` will do; `configureDetector` is
  /// there for others.
  public var localizerModel: LocalModel?
  /// Changes how the model that finds objects is run and read (an addition).
  public var configureDetector: (@Sendable (inout VisionTasks.ObjectDetector.Options) -> Void)?

  override init() {}
}

/// How an `ObjectDetector` without a classifier works.
///
/// The original's classifier of coarse categories is not part of this library: labels are empty.
public final class ObjectDetectorOptions: CommonObjectDetectorOptions {
  /// One object in streams, not classified.
  public override init() {}
}

/// How an `ObjectDetector` with a custom classifier works.
public final class CustomObjectDetectorOptions: CommonObjectDetectorOptions {
  /// The least confidence of labels, from 0 to 1; nil and other numbers take the threshold of the
  /// model's metadata, or else none.
  public var classificationConfidenceThreshold: NSNumber?
  /// The most labels of an object; numbers below 1 count as 10.
  public var maxPerObjectLabelCount = 10

  let model: LabelingModel

  /// Classification with a model in a file.
  public init(localModel: LocalModel) { model = .local(localModel) }

  /// Classification with a model that has been downloaded.
  public init(remoteModel: CustomRemoteModel) { model = .remote(remoteModel) }
}
