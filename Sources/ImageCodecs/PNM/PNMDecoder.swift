// SPDX-License-Identifier: Apache-2.0

internal import ResourceLimits

/// Reads the samples of a file whose header has been checked.
struct PNMDecoder {
  private let header: PNMHeader
  private var reader: PNMTextReader

  init(_ header: PNMHeader, byteCount: Int, limits: Limits) throws(PNMError) {
    self.header = header
    reader = PNMTextReader(position: header.dataOffset)
    let pixelCount = header.width * header.height
    guard max(header.width, header.height) <= limits.imageSide,
      pixelCount <= limits.imagePixelCount, pixelCount <= max(0, limits.imageByteCount) / 4,
      pixelCount <= 1 << 56
    else { throw PNMError(.tooLarge(width: header.width, height: header.height), at: 2) }
    guard header.dataByteCount <= byteCount - header.dataOffset else {
      throw PNMError(.truncated, at: byteCount)
    }
  }

  mutating func decode(_ file: Span<UInt8>) throws(PNMError) -> DecodedImage {
    var pixels = [UInt8](repeating: 255, count: 4 * header.width * header.height)
    var span = pixels.mutableSpan
    if header.isText {
      try decodeText(file, to: &span)
    } else if header.kind == .bitmap {
      decodeBits(file, to: &span)
    } else {
      try decodeBytes(file, to: &span)
    }
    return DecodedImage(
      width: header.width, height: header.height, pixels: pixels, deepPixels: nil, hasAlpha: false,
      orientation: nil)
  }

  @_lifetime(pixels: copy pixels)
  private mutating func decodeText(
    _ file: Span<UInt8>, to pixels: inout MutableSpan<UInt8>
  ) throws(PNMError) {
    for pixel in 0..<pixels.count / 4 {
      for channel in 0..<header.channelCount {
        guard header.kind != .bitmap else {
          put(try reader.bit(in: file) == 1 ? 0 : 255, at: pixel, channel, to: &pixels)
          continue
        }
        let value = try reader.number(in: file)
        put(try scaled(value, at: reader.position), at: pixel, channel, to: &pixels)
      }
    }
  }

  /// Rows begin with a whole byte; the first pixel is in its highest bit.
  @_lifetime(pixels: copy pixels)
  private func decodeBits(_ file: Span<UInt8>, to pixels: inout MutableSpan<UInt8>) {
    let rowByteCount = (header.width + 7) / 8
    for row in 0..<header.height {
      for column in 0..<header.width {
        let byte = file[header.dataOffset + row * rowByteCount + column / 8]
        let isBlack = byte >> UInt8(7 - column % 8) & 1 == 1
        put(isBlack ? 0 : 255, at: row * header.width + column, 0, to: &pixels)
      }
    }
  }

  @_lifetime(pixels: copy pixels)
  private func decodeBytes(
    _ file: Span<UInt8>, to pixels: inout MutableSpan<UInt8>
  ) throws(PNMError) {
    let isDeep = header.largestSample > 255
    if header.largestSample == 255, header.channelCount == 3 {
      copyColors(file.extracting(header.dataOffset...), to: &pixels)
      return
    }
    var offset = header.dataOffset
    for pixel in 0..<pixels.count / 4 {
      for channel in 0..<header.channelCount {
        let value = isDeep ? file.bigEndian16(at: offset) : Int(file[offset])
        put(try scaled(value, at: offset), at: pixel, channel, to: &pixels)
        offset += isDeep ? 2 : 1
      }
    }
  }

  /// Copies red, green and blue of bytes that need no scaling.
  @_lifetime(pixels: copy pixels)
  private func copyColors(_ samples: Span<UInt8>, to pixels: inout MutableSpan<UInt8>) {
    var pixel = 0
    while pixel < pixels.count / 4 {
      // Pieces of a known length need no checks inside.
      let count = min(16, pixels.count / 4 &- pixel)
      let piece = samples.extracting(3 &* pixel..<3 &* (pixel &+ count))
      var colors = pixels._mutatingExtracting(4 &* pixel..<4 &* (pixel &+ count))
      if count == 16 {
        for index in 0..<16 { copyColor(piece, &colors, index) }
      } else {
        for index in 0..<count { copyColor(piece, &colors, index) }
      }
      pixel &+= count
    }
  }

  @_lifetime(target: copy target)
  @inline(__always)
  private func copyColor(
    _ source: Span<UInt8>, _ target: inout MutableSpan<UInt8>, _ index: Int
  ) {
    for channel in 0..<3 { target[4 &* index &+ channel] = source[3 &* index &+ channel] }
  }

  /// Writes a sample; a grey one counts for all three colors.
  @inline(__always)
  private func put(
    _ sample: UInt8, at pixel: Int, _ channel: Int, to pixels: inout MutableSpan<UInt8>
  ) {
    pixels[4 &* pixel &+ channel] = sample
    guard header.channelCount == 1 else { return }
    pixels[4 &* pixel &+ 1] = sample
    pixels[4 &* pixel &+ 2] = sample
  }

  /// A sample in 8 bits.
  @inline(__always)
  private func scaled(_ value: Int, at offset: Int) throws(PNMError) -> UInt8 {
    let largest = header.largestSample
    guard value <= largest else { throw PNMError(.sample(value, largest: largest), at: offset) }
    if largest == 255 { return UInt8(truncatingIfNeeded: value) }
    if largest == 65535 { return UInt8(truncatingIfNeeded: value >> 8) }
    return UInt8(truncatingIfNeeded: (value * 255 + largest / 2) / largest)
  }
}
