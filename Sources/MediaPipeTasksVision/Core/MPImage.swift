// SPDX-License-Identifier: Apache-2.0

public import AppleCompatibility
public import Foundation
import Imaging
import MediaPipeTasksCommon

/// What an `MPImage` was made of.
public struct MPImageSourceType: RawRepresentable, Hashable, Sendable {
  /// The number of the kind.
  public let rawValue: Int

  /// A kind by its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A `UIImage`.
  public static let image = MPImageSourceType(rawValue: 0)
  /// A `CVPixelBuffer`.
  public static let pixelBuffer = MPImageSourceType(rawValue: 1)
  /// A `CMSampleBuffer`.
  public static let sampleBuffer = MPImageSourceType(rawValue: 2)
}

/// An image that vision tasks take.
public final class MPImage: NSObject, @unchecked Sendable {
  /// Columns; of a `UIImage`, those of the image as its own orientation turns it.
  public let width: CGFloat
  /// Rows; of a `UIImage`, those of the image as its own orientation turns it.
  public let height: CGFloat
  /// How the image must be turned to be seen upright.
  public let orientation: UIImage.Orientation
  /// What the image was made of.
  public let imageSourceType: MPImageSourceType
  /// The image; nil unless the image was made of one.
  public let image: UIImage?
  /// The frame; nil unless the image was made of one.
  public let pixelBuffer: CVPixelBuffer?
  /// The sample; nil unless the image was made of one.
  public let sampleBuffer: CMSampleBuffer?
  /// The pixels as stored.
  let pixels: PixelBuffer

  /// An image with its own orientation.
  ///
  /// - Throws: `NSError` where it has no `cgImage`.
  public convenience init(uiImage: UIImage) throws {
    try self.init(uiImage: uiImage, orientation: uiImage.imageOrientation)
  }

  /// An image with another orientation than its own.
  ///
  /// - Throws: `NSError` where it has no `cgImage`.
  public init(uiImage: UIImage, orientation: UIImage.Orientation) throws {
    guard let stored = uiImage.cgImage else {
      throw TasksErrorCode.invalidArgumentError.error(
        "Image does not have a valid underlying CGImage. image.CGImage must be non nil.")
    }
    width = uiImage.size.width * uiImage.scale
    height = uiImage.size.height * uiImage.scale
    self.orientation = orientation
    imageSourceType = .image
    image = uiImage
    pixelBuffer = nil
    sampleBuffer = nil
    pixels = stored.pixels
  }

  /// An upright frame.
  public convenience init(pixelBuffer: CVPixelBuffer) throws {
    try self.init(pixelBuffer: pixelBuffer, orientation: .up)
  }

  /// A frame that must be turned.
  public init(pixelBuffer: CVPixelBuffer, orientation: UIImage.Orientation) throws {
    width = CGFloat(CVPixelBufferGetWidth(pixelBuffer))
    height = CGFloat(CVPixelBufferGetHeight(pixelBuffer))
    self.orientation = orientation
    imageSourceType = .pixelBuffer
    image = nil
    self.pixelBuffer = pixelBuffer
    sampleBuffer = nil
    pixels = pixelBuffer.pixels
  }

  /// The upright frame of a sample.
  ///
  /// - Throws: `NSError` where the sample has none.
  public convenience init(sampleBuffer: CMSampleBuffer) throws {
    try self.init(sampleBuffer: sampleBuffer, orientation: .up)
  }

  /// The frame of a sample, which must be turned.
  ///
  /// - Throws: `NSError` where the sample has none.
  public init(sampleBuffer: CMSampleBuffer, orientation: UIImage.Orientation) throws {
    guard let frame = CMSampleBufferGetImageBuffer(sampleBuffer) else {
      throw TasksErrorCode.invalidArgumentError.error("Sample buffer has no image buffer.")
    }
    width = CGFloat(CVPixelBufferGetWidth(frame))
    height = CGFloat(CVPixelBufferGetHeight(frame))
    self.orientation = orientation
    imageSourceType = .sampleBuffer
    image = nil
    pixelBuffer = nil
    self.sampleBuffer = sampleBuffer
    pixels = frame.pixels
  }
}
