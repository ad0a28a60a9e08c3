// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Mixes the four pixels around each output pixel's middle.
  ///
  ///     position = (i + ½) × (inputSize / outputSize) - ½      lower = ⌊position⌋, upper = lower + 1
  ///     top    = topLeft    + (topRight    - topLeft)    × (column's position - lower)
  ///     bottom = bottomLeft + (bottomRight - bottomLeft) × (column's position - lower)
  ///     pixel  = ⌊top + (bottom - top) × (row's position - lower) + ½⌋
  ///
  /// in 32-bit floats and this order; `lower` and `upper` are moved inside the image. Up to the
  /// rounding to whole numbers it is TensorFlow's `image.resize`, so the results are its results
  /// rounded, halves upward.
  func resizedBilinear(toWidth newWidth: Int, height newHeight: Int) -> PixelBuffer {
    let columns = BilinearTap.taps(from: width, to: newWidth)
    let count = newWidth * format.channelCount
    var resized = [UInt8](repeating: 0, count: count * newHeight)
    var target = resized.mutableSpan
    var lines = MixedLines(count: count)
    for (row, tap) in BilinearTap.taps(from: height, to: newHeight).enumerated() {
      lines.move(to: tap) { row, line in mix(row, columns, into: &line) }
      lines.mix(tap)
      var pixels = target._mutatingExtracting(row * count..<(row + 1) * count)
      Self.round(lines.mixed.span, into: &pixels)
    }
    return PixelBuffer(checkedWidth: newWidth, height: newHeight, format: format, bytes: resized)
  }

  /// Mixes the pixels of a row with their right neighbors.
  private func mix(_ row: Int, _ columns: [BilinearTap], into line: inout MutableSpan<Float>) {
    let source = bytes.span.extracting(row * rowByteCount..<(row + 1) * rowByteCount)
    // Loops of a known length are unrolled.
    switch format.channelCount {
    case 3: mix(source, columns, channelCount: 3, into: &line)
    case 4: mix(source, columns, channelCount: 4, into: &line)
    default: mix(source, columns, channelCount: format.channelCount, into: &line)
    }
  }

  @_lifetime(line: copy line)
  @inline(__always)
  private func mix(
    _ source: Span<UInt8>, _ columns: [BilinearTap], channelCount: Int,
    into line: inout MutableSpan<Float>
  ) {
    for index in columns.indices {
      let tap = columns[index]
      let (left, right) = (tap.lower &* channelCount, tap.upper &* channelCount)
      let start = index &* channelCount
      let first = source.extracting(left..<left &+ channelCount)
      let second = source.extracting(right..<right &+ channelCount)
      var mixed = line._mutatingExtracting(start..<start &+ channelCount)
      for channel in 0..<channelCount {
        mixed[channel] = tap.mix(Float(first[channel]), Float(second[channel]))
      }
    }
  }

  /// Whole numbers of numbers from 0 to 255, halves rounded upward.
  @_lifetime(bytes: copy bytes)
  private static func round(_ values: Span<Float>, into bytes: inout MutableSpan<UInt8>) {
    // Pieces of a known length need no checks inside.
    let length = 16
    var start = 0
    while start &+ length <= values.count {
      let piece = values.extracting(start..<start &+ length)
      var rounded = bytes._mutatingExtracting(start..<start &+ length)
      for index in 0..<length { rounded[index] = round(piece[index]) }
      start &+= length
    }
    for index in start..<values.count { bytes[index] = round(values[index]) }
  }

  /// ⌊value + ½⌋, without a conversion that could trap.
  @inline(__always)
  private static func round(_ value: Float) -> UInt8 {
    // From 2²³ on, floats are whole numbers: here the nearest one, in the low bits.
    let (sum, term) = (value + 0.5, Float(0x1p23))
    let nearest = sum + term
    let above: UInt32 = nearest - term > sum ? 1 : 0
    return UInt8(truncatingIfNeeded: nearest.bitPattern &- above)
  }
}
