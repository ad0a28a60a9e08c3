// SPDX-License-Identifier: Apache-2.0

public import Imaging

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension ConfidenceMask {
  /// The mask of a turned part of an image as a mask of all of the image, 0 outside the part.
  ///
  /// MediaPipe's `warp_affine_calculator` with its OpenCV runner, the way back of
  /// `PixelBuffer.cropped(to:columns:rows:border:)`: locations are rounded to 1/32 pixel of the
  /// mask, values are bilinear.
  ///
  /// - Parameters:
  ///   - rect: the part that the mask is of, in pixels of the image.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: a mask in the image's size.
  /// - Throws: `LandmarkError` for a part without area or an impossible size.
  public func placed(
    at rect: RotatedRect, columns: Int, rows: Int
  ) throws(LandmarkError) -> ConfidenceMask {
    guard rect.isUsable else { throw .invalidRect("a region needs finite numbers and an area") }
    return try LandmarkError.wrapping { () throws(ImagingError) in
      let blank = try PixelBuffer(
        width: columns, height: rows, format: .grey8,
        filledWith: PixelColor(red: 0, green: 0, blue: 0, alpha: 0))
      var values = [Float](repeating: 0, count: blank.bytes.count)
      let grid = PartGrid(rect, columns: width, rows: height)
      for row in 0..<rows {
        for column in 0..<columns {
          let (x, y) = grid.location(column: column, row: row)
          values[row * columns + column] = sample(x, y)
        }
      }
      return try ConfidenceMask(width: columns, height: rows, values: values)
    }
  }

  /// The value at a location in steps of 1/32 pixel; 0 outside the mask.
  private func sample(_ x: Int, _ y: Int) -> Float {
    let (column, row) = (x >> 5, y >> 5)
    guard (-1..<width).contains(column), (-1..<height).contains(row) else { return 0 }
    let (right, below) = (Float(x & 31) / 32, Float(y & 31) / 32)
    return value(column, row) * (1 - right) * (1 - below)
      + value(column + 1, row) * right * (1 - below)
      + value(column, row + 1) * (1 - right) * below
      + value(column + 1, row + 1) * right * below
  }

  private func value(_ column: Int, _ row: Int) -> Float {
    (0..<width).contains(column) && (0..<height).contains(row) ? values[row * width + column] : 0
  }
}

/// Where the pixels of an image lie in the mask of a turned part, in steps of 1/32 pixel.
private struct PartGrid {
  /// The farthest location: beyond any mask, and far from overflow.
  private static let farthest = Double(1 << 30)

  private let right: (x: Double, y: Double)
  private let down: (x: Double, y: Double)
  private let origin: (x: Double, y: Double)

  /// - Parameters:
  ///   - rect: the part, in pixels of the image.
  ///   - columns: columns of its mask.
  ///   - rows: rows of its mask.
  init(_ rect: RotatedRect, columns: Int, rows: Int) {
    let (cosine, sine) = (Double(cos(rect.rotation)), Double(sin(rect.rotation)))
    let across = Double(columns) / Double(rect.width)
    let along = Double(rows) / Double(rect.height)
    right = (cosine * across, -sine * along)
    down = (sine * across, cosine * along)
    let (x, y) = (Double(rect.centerX), Double(rect.centerY))
    origin = (
      Double(columns) / 2 - x * right.x - y * down.x, Double(rows) / 2 - x * right.y - y * down.y
    )
  }

  func location(column: Int, row: Int) -> (x: Int, y: Int) {
    let (column, row) = (Double(column), Double(row))
    return (
      Self.steps(origin.x + column * right.x + row * down.x),
      Self.steps(origin.y + column * right.y + row * down.y)
    )
  }

  private static func steps(_ location: Double) -> Int {
    let steps = (location * 32).rounded()
    return Int(steps.isNaN ? farthest : min(max(steps, -farthest), farthest))
  }
}
