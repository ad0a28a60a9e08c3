// SPDX-License-Identifier: Apache-2.0

import AppleCompatibility
import Foundation
import Imaging
import MediaPipeTasksCommon

/// What a vision task looks at.
struct VisionInput: Sendable {
  /// The image as stored.
  let pixels: PixelBuffer
  /// How it must be turned to be upright.
  let orientation: ImageOrientation
  /// The part to look at, in pixels of the image as stored; nil for all of it.
  let region: ImageRect?

  /// - Parameters:
  ///   - image: the image.
  ///   - region: the part to look at, in shares of the width and height of the image as stored; all
  ///     zero for the whole image.
  /// - Throws: `NSError` for mirrored images, as MediaPipe has it, and regions that are none.
  init(_ image: MPImage, region: CGRect) throws(NSError) {
    switch image.orientation {
    case .up, .down, .left, .right: orientation = image.orientation.exif
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored:
      throw TasksErrorCode.invalidArgumentError.error(
        "Unsupported UIImageOrientation. `imageOrientation` cannot be equal to any of the mirrored orientations (`UIImageOrientationUpMirrored`,`UIImageOrientationDownMirrored`,`UIImageOrientationLeftMirrored`,`UIImageOrientationRightMirrored`)"
      )
    }
    pixels = image.pixels
    guard region != .zero else {
      self.region = nil
      return
    }
    let part = ImageRect(
      x: Double(region.origin.x), y: Double(region.origin.y), width: Double(region.size.width),
      height: Double(region.size.height))
    let isPart =
      part.x >= 0 && part.y >= 0 && part.width > 0 && part.height > 0
      && part.x + part.width <= 1 + Self.rounding && part.y + part.height <= 1 + Self.rounding
    guard isPart else {
      throw TasksErrorCode.invalidArgumentError.error(
        "A region of interest must lie between 0 and 1, with a width and a height.")
    }
    let (columns, rows) = (Double(pixels.width), Double(pixels.height))
    self.region = ImageRect(
      x: part.x * columns, y: part.y * rows, width: part.width * columns,
      height: part.height * rows)
  }

  /// How far sums of shares may exceed 1.
  private static let rounding = 1e-6
}
