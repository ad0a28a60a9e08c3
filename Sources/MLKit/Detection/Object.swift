// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Imaging
import VisionTasks

/// A thing found in an image.
public final class Object: NSObject, @unchecked Sendable {
  /// Where it lies, in pixels of the image as stored, not turned, from the top left corner.
  public let frame: CGRect
  /// What the classifier takes it for, best first; empty without one, and where nothing reaches
  /// its threshold.
  public let labels: [ObjectLabel]
  /// The number that it has in all images of a stream, 0 or more; nil in single images.
  public let trackingID: NSNumber?

  init(_ object: DetectedObject) {
    frame = CGRect(
      x: object.frame.x, y: object.frame.y, width: object.frame.width,
      height: object.frame.height)
    labels = object.classifications.map(ObjectLabel.init)
    trackingID = object.trackingID.map { NSNumber(value: $0) }
  }

  /// The number, the location and the best label.
  public override var description: String {
    let id = trackingID.map { "#\($0) " } ?? ""
    return "\(id)\(frame) \(labels.first?.description ?? "no label")"
  }
}

/// What a classifier takes an object for.
public final class ObjectLabel: NSObject, Sendable {
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
