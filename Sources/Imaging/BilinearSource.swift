// SPDX-License-Identifier: Apache-2.0

/// An image that can be read between its pixels, as OpenCV's fixed-point `warpPerspective` does.
///
/// Locations are in steps of 1/32 pixel; the sum of the four weighted pixels is rounded half up.
package struct BilinearSource {
  private let bytes: [UInt8]
  private let width: Int
  private let height: Int
  private let channels: Int
  private let isReplicated: Bool

  /// An image beyond whose edges is black, or else the nearest pixel.
  package init(_ image: PixelBuffer, isReplicated: Bool) {
    bytes = image.bytes
    width = image.width
    height = image.height
    channels = image.format.channelCount
    self.isReplicated = isReplicated
  }

  /// The farthest location: beyond any image, and far from overflow.
  private static let farthest = Double(1 << 30)

  /// A location in steps of 1/32 pixel, rounded half to even.
  package static func steps(_ location: Double) -> Int {
    let steps = (location * 32).rounded(.toNearestOrEven)
    // Corners of a region that is finite can be beyond all numbers, and no number lies between them.
    return Int(steps.isNaN ? farthest : min(max(steps, -farthest), farthest))
  }

  /// Writes the pixel at a location in steps of 1/32 pixel.
  package func sample(_ x: Int, _ y: Int, into target: inout [UInt8], at start: Int) {
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
    guard isReplicated else { return nil }
    return (min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)) * channels
  }

  private func value(_ offset: Int?, _ channel: Int) -> Int {
    offset.map { Int(bytes[$0 + channel]) } ?? 0
  }
}

extension PixelBuffer {
  /// A part of the image in another size, of the four pixels around each output pixel's corner.
  ///
  ///     position = first edge of the part + i × (size of the part / outputSize)
  ///
  /// with the arithmetic of `BilinearSource`; beyond the image, it is black.
  ///
  /// - Parameters:
  ///   - part: The part, whose edges may lie within pixels.
  ///   - newWidth: Columns of the result, 1 or more.
  ///   - newHeight: Rows of the result, 1 or more.
  /// - Returns: The part in the wanted size.
  /// - Throws: `ImagingError.size` when the size is impossible.
  package func resizedFromCorner(
    _ part: ImageRect, toWidth newWidth: Int, height newHeight: Int
  ) throws(ImagingError) -> PixelBuffer {
    _ = try PixelBuffer.byteCount(width: newWidth, height: newHeight, format: format)
    let channels = format.channelCount
    let source = BilinearSource(self, isReplicated: false)
    let across = part.width / Double(newWidth)
    let down = part.height / Double(newHeight)
    var resized = [UInt8](repeating: 0, count: newWidth * newHeight * channels)
    let columns = (0..<newWidth).map { column in
      BilinearSource.steps(part.x + Double(column) * across)
    }
    var target = 0
    for row in 0..<newHeight {
      let y = BilinearSource.steps(part.y + Double(row) * down)
      for x in columns {
        source.sample(x, y, into: &resized, at: target)
        target += channels
      }
    }
    return PixelBuffer(
      checkedWidth: newWidth, height: newHeight, format: format, bytes: resized)
  }
}
