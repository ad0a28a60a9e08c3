// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import Landmarks

/// An image turned upright, and the way back to how it is stored.
struct UprightImage {
  /// The pixels, in the format of the image as stored.
  let pixels: PixelBuffer
  private let orientation: ImageOrientation
  private let storedWidth: Double
  private let storedHeight: Double

  /// An image as stored, and how it must be turned to be upright.
  init(_ image: PixelBuffer, _ orientation: ImageOrientation) {
    pixels = image.upright(from: orientation)
    self.orientation = orientation
    storedWidth = Double(image.width)
    storedHeight = Double(image.height)
  }

  /// Columns of the upright image.
  var columns: Int { pixels.width }
  /// Rows of the upright image.
  var rows: Int { pixels.height }
  /// Columns and rows of the image as stored.
  var storedSize: (columns: Int, rows: Int) {
    orientation.swapsAxes ? (rows, columns) : (columns, rows)
  }
  /// All of the upright image, in pixels.
  var whole: RotatedRect { NormalizedRect.whole.inPixels(columns: columns, rows: rows) }

  /// The square around all of the upright image, as fractions of its sides.
  var square: NormalizedRect {
    let side = Float(max(columns, rows))
    return NormalizedRect(
      centerX: 0.5, centerY: 0.5, width: side / Float(columns), height: side / Float(rows))
  }

  /// Points as fractions of the upright image, in pixels of the stored one; depth has their scale.
  func stored(_ points: [Landmark]) -> [Landmark] {
    points.inPixels(columns: columns, rows: rows).map { point in
      let rect = storedRect(x: Double(point.x), y: Double(point.y), width: 0, height: 0)
      var result = point
      result.x = Float(rect.x)
      result.y = Float(rect.y)
      return result
    }
  }

  /// A box as fractions of the upright image, in pixels of the stored one.
  func stored(_ detection: KeyPointDetection) -> ImageRect {
    storedRect(
      x: Double(detection.left) * Double(columns), y: Double(detection.top) * Double(rows),
      width: Double(detection.width) * Double(columns),
      height: Double(detection.height) * Double(rows))
  }

  /// A mask of the upright image as one of the stored one.
  func stored(_ mask: ConfidenceMask) -> ConfidenceMask { mask.upright(from: orientation.inverse) }

  private func storedRect(x: Double, y: Double, width: Double, height: Double) -> ImageRect {
    orientation.storedRect(
      ImageRect(x: x, y: y, width: width, height: height), storedWidth: storedWidth,
      storedHeight: storedHeight)
  }
}
