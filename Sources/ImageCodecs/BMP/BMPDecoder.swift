// SPDX-License-Identifier: Apache-2.0

internal import ResourceLimits

/// Expands the rows of a file whose header has been checked.
struct BMPDecoder {
  private let header: BMPHeader

  /// Red, green, blue of each color.
  private let palette: [UInt8]

  init(_ file: Span<UInt8>, limits: Limits) throws(BMPError) {
    header = try BMPHeader(file)
    palette = BMPDecoder.palette(file, header)
    // Sides of at most 2³¹: no product below overflows.
    let isRunLength = header.compression == .runLength4 || header.compression == .runLength8
    let byteLimit = max(0, limits.imageByteCount)
    guard max(header.width, header.height) <= limits.imageSide,
      header.pixelCount <= limits.imagePixelCount,
      header.pixelCount <= byteLimit / (isRunLength ? 5 : 4)
    else {
      throw BMPError(.tooLarge(width: header.width, height: header.height), at: 18)
    }
    let available = file.count - header.dataOffset
    if isRunLength {
      // Skipped pixels cost nothing; still, a large image has to have some data.
      guard available >= 0 else { throw BMPError(.truncated, at: file.count) }
      guard header.pixelCount / 1024 <= available + 1024 else {
        throw BMPError(
          .implausibleSize(width: header.width, height: header.height, byteCount: available),
          at: header.dataOffset)
      }
    } else {
      // The last row is allowed to lack what fills it up to a multiple of four bytes.
      let (rows, overflow) = (header.height - 1).multipliedReportingOverflow(
        by: header.rowByteCount)
      guard !overflow, rows <= available - header.usedRowByteCount else {
        throw BMPError(.truncated, at: file.count)
      }
    }
  }

  /// The colors that lie between the headers and the pixels.
  private static func palette(_ file: Span<UInt8>, _ header: BMPHeader) -> [UInt8] {
    guard header.bitsPerPixel <= 8 else { return [] }
    let most = 1 << header.bitsPerPixel
    let declared = header.declaredPaletteCount == 0 ? most : min(most, header.declaredPaletteCount)
    let room = min(file.count, header.dataOffset) - header.paletteOffset
    let count = max(0, min(declared, room / header.paletteStride))
    return (0..<count).flatMap { index in
      let offset = header.paletteOffset + index * header.paletteStride
      return [file[offset + 2], file[offset + 1], file[offset]]
    }
  }

  func decode(_ file: Span<UInt8>) throws(BMPError) -> DecodedImage {
    let pixels =
      switch header.compression {
      case .runLength4, .runLength8: try decodeRuns(file)
      case .none, .bitFields, .alphaBitFields: try decodeRows(file)
      }
    return DecodedImage(
      width: header.width, height: header.height, pixels: pixels, deepPixels: nil,
      hasAlpha: header.hasAlpha, orientation: nil)
  }

  /// Where a row of the file lies in the image.
  private func imageRow(_ row: Int) -> Int { header.isTopDown ? row : header.height - 1 - row }

  private func decodeRows(_ file: Span<UInt8>) throws(BMPError) -> [UInt8] {
    var pixels = [UInt8](repeating: 255, count: 4 * header.pixelCount)
    var span = pixels.mutableSpan
    let fields = header.masks.map { BMPBitField($0) }
    for row in 0..<header.height {
      let start = header.dataOffset + row * header.rowByteCount
      let stored = file.extracting(start..<start + header.usedRowByteCount)
      let location = 4 * header.width * imageRow(row)
      var target = span._mutatingExtracting(location..<location + 4 * header.width)
      switch header.bitsPerPixel {
      case 24: expandColors(stored, to: &target)
      case 16, 32: expandFields(stored, fields, to: &target)
      default:
        let bits = header.bitsPerPixel
        for column in 0..<header.width {
          let bit = column * bits
          let byte = stored[bit / 8] >> UInt8(8 - bits - bit % 8)
          try put(Int(byte) & (1 << bits - 1), at: column, to: &target, offset: start + bit / 8)
        }
      }
    }
    return pixels
  }

  @_lifetime(pixels: copy pixels)
  private func expandColors(_ stored: Span<UInt8>, to pixels: inout MutableSpan<UInt8>) {
    for column in 0..<header.width {
      for channel in 0..<3 { pixels[4 * column + channel] = stored[3 * column + 2 - channel] }
    }
  }

  @_lifetime(pixels: copy pixels)
  private func expandFields(
    _ stored: Span<UInt8>, _ fields: [BMPBitField], to pixels: inout MutableSpan<UInt8>
  ) {
    let byteCount = header.bitsPerPixel / 8
    let channels = header.hasAlpha ? 4 : 3
    for column in 0..<header.width {
      var value: UInt32 = 0
      for byte in 0..<byteCount {
        value |= UInt32(stored[byteCount * column + byte]) << UInt32(8 * byte)
      }
      for channel in 0..<channels { pixels[4 * column + channel] = fields[channel].sample(value) }
    }
  }

  private func put(
    _ index: Int, at column: Int, to pixels: inout MutableSpan<UInt8>, offset: Int
  ) throws(BMPError) {
    guard 3 * index < palette.count else {
      throw BMPError(.paletteIndex(index, paletteCount: palette.count / 3), at: offset)
    }
    for channel in 0..<3 { pixels[4 * column + channel] = palette[3 * index + channel] }
  }

  private func decodeRuns(_ file: Span<UInt8>) throws(BMPError) -> [UInt8] {
    var runs = BMPRunLengths(header)
    let indices = try runs.decode(file)
    var pixels = [UInt8](repeating: 255, count: 4 * header.pixelCount)
    var span = pixels.mutableSpan
    for row in 0..<header.height {
      let location = 4 * header.width * imageRow(row)
      var target = span._mutatingExtracting(location..<location + 4 * header.width)
      for column in 0..<header.width {
        let index = Int(indices[row * header.width + column])
        try put(index, at: column, to: &target, offset: header.dataOffset)
      }
    }
    return pixels
  }
}

/// The bits of a color in a pixel, and how to make 8 bits of them.
private struct BMPBitField {
  private let mask: UInt32
  private let shift: UInt32
  private let largest: UInt64

  init(_ mask: UInt32) {
    self.mask = mask
    shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
    largest = UInt64(mask >> shift)
  }

  /// The color, 0 to 255, rounded to the nearest; 0 for a color without bits.
  func sample(_ pixel: UInt32) -> UInt8 {
    guard largest > 0 else { return 0 }
    let value = UInt64((pixel & mask) >> shift)
    return UInt8(truncatingIfNeeded: (value * 255 + largest / 2) / largest)
  }
}
