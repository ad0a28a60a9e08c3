// SPDX-License-Identifier: Apache-2.0

/// An image that can be read between its pixels, as OpenCV's fixed-point `warpPerspective` does.
///
/// Locations are in steps of 1/32 pixel; the sum of the four weighted pixels is rounded half up.
package struct BilinearSource {
  private let bytes: [UInt8]
  private let width: Int
  private let height: Int
  private let format: PixelFormat
  private let channels: Int
  private let isReplicated: Bool

  /// An image beyond whose edges is black, or else the nearest pixel.
  package init(_ image: PixelBuffer, isReplicated: Bool) {
    bytes = image.bytes
    width = image.width
    height = image.height
    format = image.format
    channels = format.channelCount
    self.isReplicated = isReplicated
  }

  /// The farthest location: beyond any image, and far from overflow.
  private static let farthest = Double(1 << 30)
  /// A double beside which the nearest one is a whole step away: adding it rounds half to even, and
  /// leaves a whole number below 2³¹ in the low half of the bits.
  private static let roundingTerm = 0x1.8p52

  /// A location in steps of 1/32 pixel, rounded half to even.
  @inline(__always)
  private static func steps(_ location: Double) -> Int {
    let steps = location * 32
    // Corners of a region that is finite can be beyond all numbers, and no number lies between them.
    let near = steps.isNaN ? farthest : min(max(steps, -farthest), farthest)
    return Int(Int32(truncatingIfNeeded: (near + roundingTerm).bitPattern))
  }

  /// The image on a grid: column `i` of row `j` lies at `origin + i × right + j × down`.
  ///
  /// - Parameters:
  ///   - origin: The location of the first pixel.
  ///   - right: From a pixel to its right neighbor.
  ///   - down: From a pixel to the one below.
  ///   - columns: Columns of the grid, 1 or more.
  ///   - rows: Rows of the grid, 1 or more.
  /// - Returns: The pixels of the grid, in the image's format.
  /// - Throws: `ImagingError.size` when the size is impossible.
  package func grid(
    from origin: (x: Double, y: Double), right: (x: Double, y: Double),
    down: (x: Double, y: Double), columns: Int, rows: Int
  ) throws(ImagingError) -> PixelBuffer {
    let count = try PixelBuffer.byteCount(width: columns, height: rows, format: format)
    var samples = [UInt8](repeating: 0, count: count)
    var target = samples.mutableSpan
    for row in 0..<rows {
      let below = (x: Double(row) * down.x, y: Double(row) * down.y)
      for column in 0..<columns {
        let x = Self.steps(origin.x + Double(column) * right.x + below.x)
        let y = Self.steps(origin.y + Double(column) * right.y + below.y)
        let start = (row &* columns &+ column) &* channels
        switch channels {
        case 3: sample(x, y, channels: 3, into: &target, at: start)
        case 4: sample(x, y, channels: 4, into: &target, at: start)
        default: sample(x, y, channels: channels, into: &target, at: start)
        }
      }
    }
    return PixelBuffer(
      checkedWidth: columns, height: rows, format: format, bytes: samples)
  }

  /// Writes the pixel at a location in steps of 1/32 pixel.
  @inline(__always)
  private func sample(
    _ x: Int, _ y: Int, channels: Int, into target: inout MutableSpan<UInt8>, at start: Int
  ) {
    let (column, row) = (x >> 5, y >> 5)
    let (right, below) = (x & 31, y & 31)
    let weights = (
      (32 &- right) &* (32 &- below), right &* (32 &- below), (32 &- right) &* below,
      right &* below
    )
    var pixel = target._mutatingExtracting(start..<start &+ channels)
    guard column >= 0, column < width &- 1, row >= 0, row < height &- 1 else {
      return sampleAtEdge(column, row, weights, into: &pixel)
    }
    let (source, first) = (bytes.span, (row &* width &+ column) &* channels)
    let second = first &+ width &* channels
    let upper = source.extracting(first..<first &+ 2 &* channels)
    let lower = source.extracting(second..<second &+ 2 &* channels)
    for channel in 0..<channels {
      let top =
        Int(upper[channel]) &* weights.0 &+ Int(upper[channel &+ channels]) &* weights.1
      let bottom =
        Int(lower[channel]) &* weights.2 &+ Int(lower[channel &+ channels]) &* weights.3
      pixel[channel] = Self.rounded(top &+ bottom)
    }
  }

  /// Writes a pixel of which some of the four may lie beyond the edges.
  @inline(never)
  private func sampleAtEdge(
    _ column: Int, _ row: Int, _ weights: (Int, Int, Int, Int),
    into pixel: inout MutableSpan<UInt8>
  ) {
    let corners = (
      offset(column, row), offset(column + 1, row), offset(column, row + 1),
      offset(column + 1, row + 1)
    )
    for channel in 0..<channels {
      let sum =
        value(corners.0, channel) * weights.0 + value(corners.1, channel) * weights.1
        + value(corners.2, channel) * weights.2 + value(corners.3, channel) * weights.3
      pixel[channel] = Self.rounded(sum)
    }
  }

  /// A sum by weights whose sum is 1024, as a byte: it is at most 255 × 1024.
  @inline(__always)
  private static func rounded(_ sum: Int) -> UInt8 { UInt8(truncatingIfNeeded: (sum &+ 512) >> 10) }

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
    try BilinearSource(self, isReplicated: false).grid(
      from: (part.x, part.y), right: (part.width / Double(newWidth), 0),
      down: (0, part.height / Double(newHeight)), columns: newWidth, rows: newHeight)
  }
}
