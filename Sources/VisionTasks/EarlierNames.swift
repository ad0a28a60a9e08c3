// SPDX-License-Identifier: Apache-2.0

public import Imaging
public import RecognitionScores
public import Tracking

/// The earlier name of `PreparedImage`.
@available(*, deprecated, renamed: "PreparedImage")
public typealias PreparedPicture = PreparedImage

/// The earlier name of `ImageModelDescription`.
@available(*, deprecated, renamed: "ImageModelDescription")
public typealias PictureModelDescription = ImageModelDescription

extension PreparedImage {
  /// The earlier name of `image`.
  @available(*, deprecated, renamed: "image")
  public var picture: PixelBuffer { image }
}

extension ClassificationScore {
  /// The earlier name of `imageCount`.
  @available(*, deprecated, renamed: "imageCount")
  public var pictureCount: Int { imageCount }
}

extension DetectionScore {
  /// The earlier name of `imageCount`.
  @available(*, deprecated, renamed: "imageCount")
  public var pictureCount: Int { imageCount }
}

extension ObjectTracker {
  /// The earlier form of `update(_:image:frames:)`.
  @available(*, deprecated, renamed: "update(_:image:frames:)")
  public mutating func update(
    _ observations: [Observation], picture: PixelBuffer, frames: Int = 1
  ) -> [TrackedObject] {
    update(observations, image: picture, frames: frames)
  }

  /// The earlier form of `update(objects:image:frames:)`.
  @available(*, deprecated, renamed: "update(objects:image:frames:)")
  public mutating func update(
    objects: [DetectedObject], picture: PixelBuffer, frames: Int = 1
  ) -> [DetectedObject] {
    update(objects: objects, image: picture, frames: frames)
  }
}
