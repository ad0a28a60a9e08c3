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
      let source = BilinearSource(self, border: border)
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
  /// The farthest location: beyond any image, and far from overflow.
  private static let farthest = Double(1 << 30)

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
      Self.steps(origin.x + column * right.x + row * down.x),
      Self.steps(origin.y + column * right.y + row * down.y)
    )
  }

  private static func steps(_ location: Double) -> Int {
    let steps = (location * 32).rounded(.toNearestOrEven)
    // Corners of a region that is finite can be beyond all numbers, and no number lies between them.
    return Int(steps.isNaN ? farthest : min(max(steps, -farthest), farthest))
  }
}

/// An image that can be read between its pixels.
private struct BilinearSource {
  private let bytes: [UInt8]
  private let width: Int
  private let height: Int
  private let channels: Int
  private let border: ImageBorder

  init(_ image: PixelBuffer, border: ImageBorder) {
    bytes = image.bytes
    width = image.width
    height = image.height
    channels = image.format.channelCount
    self.border = border
  }

  /// Writes the pixel at a location in steps of 1/32 pixel.
  func sample(_ x: Int, _ y: Int, into target: inout [UInt8], at start: Int) {
    let (column, row) = (x >> 5, y >> 5)
    let (right, below) = (x & 31, y & 31)
    let corners = (
      offset(column, row), offset(column + 1, row), offset(column, row + 1),
      offset(column + 1, row + 1)
    )
    let weights = (
      (32 - right) * (32 - below), right * (32 - below), (32 - right) * below, right * below
    )
    for channel in 0..<channels {
      // The weights' sum is 1024: at most 255 × 1024 + 512.
      let sum =
        value(corners.0, channel) * weights.0 + value(corners.1, channel) * weights.1
        + value(corners.2, channel) * weights.2 + value(corners.3, channel) * weights.3
      target[start + channel] = UInt8(truncatingIfNeeded: (sum + 512) >> 10)
    }
  }

  /// The first byte of a pixel; nil beyond a black border.
  private func offset(_ column: Int, _ row: Int) -> Int? {
    if (0..<width).contains(column), (0..<height).contains(row) {
      return (row * width + column) * channels
    }
    guard border == .replicate else { return nil }
    return (min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)) * channels
  }

  private func value(_ offset: Int?, _ channel: Int) -> Int {
    offset.map { Int(bytes[$0 + channel]) } ?? 0
  }
}
