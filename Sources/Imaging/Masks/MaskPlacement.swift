// SPDX-License-Identifier: Apache-2.0

/// Where a mask lies in a larger or smaller image: its pixels, each direction on its own.
///
/// The middle of the image's column `i` lies at `(i + ½ − offsetX) / scaleX` of the mask's width,
/// from 0 at its left edge to 1 at its right one, and rows likewise.
public struct MaskPlacement: Sendable, Hashable {
  /// Columns of the image.
  public let width: Int
  /// Rows of the image.
  public let height: Int
  /// Where the mask lies in the image, in pixels; it may reach over the edges.
  public let frame: ImageRect

  /// A mask that fills an image of a size.
  public init(width: Int, height: Int) {
    self.init(
      width: width, height: height,
      frame: ImageRect(x: 0, y: 0, width: Double(width), height: Double(height)))
  }

  /// A mask that lies in `frame` of an image of a size.
  public init(width: Int, height: Int, frame: ImageRect) {
    self.width = width
    self.height = height
    self.frame = frame
  }

  /// The mask's column under the middle of the image's, of `count`; nil beside the mask.
  func nearestColumn(_ column: Int, of count: Int) -> Int? {
    Self.nearest((Double(column) + 0.5 - frame.x) / frame.width, of: count)
  }

  /// The mask's row under the middle of the image's, of `count`; nil beside the mask.
  func nearestRow(_ row: Int, of count: Int) -> Int? {
    Self.nearest((Double(row) + 0.5 - frame.y) / frame.height, of: count)
  }

  private static func nearest(_ part: Double, of count: Int) -> Int? {
    guard part >= 0, part < 1 else { return nil }
    return min(Int(part * Double(count)), count - 1)
  }

  /// The taps for each column of the image in a mask of `count` columns; nil beside the mask.
  func columnTaps(of count: Int) -> [BilinearTap?] {
    (0..<width).map { Self.tap((Double($0) + 0.5 - frame.x) / frame.width, of: count) }
  }

  /// The taps for each row of the image in a mask of `count` rows; nil beside the mask.
  func rowTaps(of count: Int) -> [BilinearTap?] {
    (0..<height).map { Self.tap((Double($0) + 0.5 - frame.y) / frame.height, of: count) }
  }

  private static func tap(_ part: Double, of count: Int) -> BilinearTap? {
    guard part >= 0, part < 1 else { return nil }
    return BilinearTap(at: Float(part * Double(count) - 0.5), inputSize: count)
  }
}
