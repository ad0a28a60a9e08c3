// SPDX-License-Identifier: Apache-2.0

public import Foundation
import ImageCodecs

/// How the stored rows and columns of an image lie in the scene; raw values are those of Exif.
///
/// Each case says where row 0 and column 0 of the stored image are in the scene.
public enum VisionDetectorImageOrientation: UInt, Sendable, CaseIterable {
  /// Row 0 is the top, column 0 the left side.
  case topLeft = 1
  /// Row 0 is the top, column 0 the right side.
  case topRight = 2
  /// Row 0 is the bottom, column 0 the right side.
  case bottomRight = 3
  /// Row 0 is the bottom, column 0 the left side.
  case bottomLeft = 4
  /// Row 0 is the left side, column 0 the top.
  case leftTop = 5
  /// Row 0 is the right side, column 0 the top.
  case rightTop = 6
  /// Row 0 is the right side, column 0 the bottom.
  case rightBottom = 7
  /// Row 0 is the left side, column 0 the bottom.
  case leftBottom = 8

  var exif: ImageOrientation {
    switch self {
    case .topLeft: .up
    case .topRight: .upMirrored
    case .bottomRight: .down
    case .bottomLeft: .downMirrored
    case .leftTop: .leftMirrored
    case .rightTop: .right
    case .rightBottom: .rightMirrored
    case .leftBottom: .left
    }
  }
}

/// What Firebase ML Kit is told about an image.
public final class VisionImageMetadata: NSObject {
  /// How the image must be turned to be seen upright.
  public var orientation: VisionDetectorImageOrientation = .topLeft

  /// An image that is upright.
  public override init() {}
}
