// SPDX-License-Identifier: Apache-2.0

/// How the stored rows and columns of an image lie in the scene; raw values are those of Exif.
///
/// Each case names where the *stored* image's top points when it is shown unturned, so that
/// `right` (6), a phone held upright, needs a quarter turn clockwise to be seen upright.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  /// Row 0 is the top, column 0 the left side: nothing to do.
  case up = 1
  /// Row 0 is the top, column 0 the right side: mirror left and right.
  case upMirrored = 2
  /// Row 0 is the bottom, column 0 the right side: half a turn.
  case down = 3
  /// Row 0 is the bottom, column 0 the left side: mirror top and bottom.
  case downMirrored = 4
  /// Row 0 is the left side, column 0 the top: transpose.
  case leftMirrored = 5
  /// Row 0 is the right side, column 0 the top: a quarter turn clockwise.
  case right = 6
  /// Row 0 is the right side, column 0 the bottom: transpose over the other diagonal.
  case rightMirrored = 7
  /// Row 0 is the left side, column 0 the bottom: a quarter turn counter-clockwise.
  case left = 8

  /// Width and height trade places when the image is turned upright.
  public var swapsAxes: Bool { rawValue >= 5 }

  /// The image is seen in a mirror as well as turned.
  public var isMirrored: Bool {
    switch self {
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    case .up, .down, .left, .right: false
    }
  }
}
