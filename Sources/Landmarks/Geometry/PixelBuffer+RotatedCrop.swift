// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// What lies beyond the edges of an image.
public enum ImageBorder: String, Sendable, Hashable, CaseIterable {
  /// Black.
  case zero
  /// The nearest pixel of the image.
  case replicate
}

extension PixelBuffer {
  /// A turned part of the image, in the size of a model's input.
  ///
  /// MediaPipe's `image_to_tensor` with its OpenCV converter. The top left pixel of the result is
  /// the image at the region's top left corner, and a step to the right is the region's width by
  /// `columns`. Values are bilinear, the locations rounded to 1/32 pixel, half to even, and the sum
  /// of the four weighted pixels rounded half up, as in OpenCV's fixed-point `warpPerspective`.
  ///
  /// - Parameters:
  ///   - rect: the region, in pixels; it may reach beyond the image.
  ///   - columns: columns of the result.
  ///   - rows: rows of the result.
  ///   - border: what lies beyond the image's edges.
  /// - Returns: the pixels, in the image's format.
  /// - Throws: `LandmarkError` for a region without area or an impossible size.
  public func cropped(
    to rect: RotatedRect, columns: Int, rows: Int, border: ImageBorder
  ) throws(LandmarkError) -> PixelBuffer {
    guard rect.isUsable else { throw .invalidRect("a region needs finite numbers and an area") }
    let channels = format.channelCount
    do throws(ImagingError) {
      let blank = try PixelBuffer(
        width: columns, height: rows, format: format,
        filledWith: PixelColor(red: 0, green: 0, blue: 0, alpha: 0))
      let grid = SampleGrid(rect, columns: columns, rows: rows)
      var bytes = blank.bytes
      let source = BilinearSource(self, isReplicated: border == .replicate)
      var target = 0
      for row in 0..<rows {
        for column in 0..<columns {
          let (x, y) = grid.location(column: column, row: row)
          source.sample(x, y, into: &bytes, at: target)
          target += channels
        }
      }
      return try PixelBuffer(width: columns, height: rows, format: format, bytes: bytes)
    } catch {
      throw .image(error)
    }
  }
}

/// Where the pixels of a crop lie in the image, in steps of 1/32 pixel.
private struct SampleGrid {
  private let origin: (x: Double, y: Double)
  private let right: (x: Double, y: Double)
  private let down: (x: Double, y: Double)

  init(_ rect: RotatedRect, columns: Int, rows: Int) {
    let corners = rect.corners.map { (x: Double($0.x), y: Double($0.y)) }
    origin = corners[0]
    right = (
      (corners[1].x - origin.x) / Double(columns), (corners[1].y - origin.y) / Double(columns)
    )
    down = ((corners[3].x - origin.x) / Double(rows), (corners[3].y - origin.y) / Double(rows))
  }

  func location(column: Int, row: Int) -> (x: Int, y: Int) {
    let (column, row) = (Double(column), Double(row))
    return (
      BilinearSource.steps(origin.x + column * right.x + row * down.x),
      BilinearSource.steps(origin.y + column * right.y + row * down.y)
    )
  }
}
