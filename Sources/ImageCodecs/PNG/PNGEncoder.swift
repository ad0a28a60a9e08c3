// SPDX-License-Identifier: Apache-2.0

internal import Compression

/// The pixels that the encoder takes, 8 bits per sample.
public enum PNGLayout: Sendable, Hashable, CaseIterable {
  /// One grey byte.
  case grey
  /// Red, green, blue.
  case rgb
  /// Red, green, blue, alpha; straight, not premultiplied.
  case rgba

  /// Bytes per pixel.
  public var channelCount: Int { colorType.channelCount }

  var colorType: PNGColorType {
    switch self {
    case .grey: .grey
    case .rgb: .rgb
    case .rgba: .rgba
    }
  }
}

extension PNG {
  /// Encodes pixels as a PNG file: the same bytes for the same pixels.
  ///
  /// Each row gets the filter with the smallest sum of absolute differences, then zlib
  /// compresses at level 6.
  ///
  /// - Parameters:
  ///   - pixels: The samples of all pixels, row by row from the top, without gaps.
  ///   - width: Columns, 1 or more.
  ///   - height: Rows, 1 or more.
  ///   - layout: The samples of a pixel.
  /// - Returns: The bytes of the file.
  /// - Throws: `PNGError` when the size is impossible or differs from the number of bytes.
  public static func encode(
    _ pixels: Span<UInt8>, width: Int, height: Int, layout: PNGLayout
  ) throws(PNGError) -> [UInt8] {
    try encode(
      pixels, width: width, height: height, color: layout.colorType, palette: [])
  }

  /// Encodes indices into a palette as a PNG file: the same bytes for the same pixels.
  ///
  /// Masks of categories are kept this way: the indices are the categories, the palette their
  /// colors, so that the file holds the numbers and viewers show an image.
  ///
  /// - Parameters:
  ///   - indices: An index for each pixel, row by row from the top, without gaps.
  ///   - width: Columns, 1 or more.
  ///   - height: Rows, 1 or more.
  ///   - palette: Red, green and blue of 1 to 256 indices.
  /// - Returns: The bytes of the file.
  /// - Throws: `PNGError` when the size is impossible or differs from the number of indices, or
  ///   the palette has no color for one of them.
  public static func encode(
    indices: [UInt8], width: Int, height: Int, palette: [(red: UInt8, green: UInt8, blue: UInt8)]
  ) throws(PNGError) -> [UInt8] {
    guard !palette.isEmpty else { throw PNGError(.missingPalette) }
    guard palette.count <= 256 else {
      throw PNGError(.chunkLength(3 * palette.count, wanted: "at most 768"))
    }
    if let wrong = indices.firstIndex(where: { Int($0) >= palette.count }) {
      throw PNGError(
        .paletteIndex(
          Int(indices[wrong]), paletteCount: palette.count, row: wrong / max(width, 1)))
    }
    return try encode(
      indices.span, width: width, height: height, color: .indexed,
      palette: palette.flatMap { [$0.red, $0.green, $0.blue] })
  }

  private static func encode(
    _ pixels: Span<UInt8>, width: Int, height: Int, color: PNGColorType, palette: [UInt8]
  ) throws(PNGError) -> [UInt8] {
    let sides = 1...Int(Int32.max)
    guard sides.contains(width), sides.contains(height) else {
      throw PNGError(.size(width: width, height: height))
    }
    let rowByteCount = width * color.channelCount
    let (wanted, overflows) = rowByteCount.multipliedReportingOverflow(by: height)
    guard !overflows else { throw PNGError(.size(width: width, height: height)) }
    guard pixels.count == wanted else {
      throw PNGError(.pixelByteCount(pixels.count, wanted: wanted))
    }

    let rows = filteredRows(pixels, rowByteCount: rowByteCount, stride: color.channelCount)
    let compressed: [UInt8]
    do throws(CompressionError) {
      compressed = try Deflate.compress(rows.span, .zlib, level: 6)
    } catch {
      throw PNGError(.compressedData(error))
    }

    var file = PNGChunkReader.signature
    let sizes = [width, height].flatMap { bigEndianBytes(UInt32($0)) }
    appendChunk(.header, data: (sizes + [8, color.rawValue, 0, 0, 0]).span, to: &file)
    if !palette.isEmpty { appendChunk(.palette, data: palette.span, to: &file) }
    for start in stride(from: 0, to: compressed.count, by: largestChunk) {
      let end = min(compressed.count, start + largestChunk)
      appendChunk(.imageData, data: compressed.span.extracting(start..<end), to: &file)
    }
    appendChunk(.end, data: [UInt8]().span, to: &file)
    return file
  }

  /// Encodes pixels held in an array as a PNG file: the same bytes for the same pixels.
  ///
  /// - Parameters:
  ///   - pixels: The samples of all pixels, row by row from the top, without gaps.
  ///   - width: Columns, 1 or more.
  ///   - height: Rows, 1 or more.
  ///   - layout: The samples of a pixel.
  /// - Returns: The bytes of the file.
  /// - Throws: `PNGError` when the size is impossible or differs from the number of bytes.
  public static func encode(
    _ pixels: [UInt8], width: Int, height: Int, layout: PNGLayout
  ) throws(PNGError) -> [UInt8] {
    try encode(pixels.span, width: width, height: height, layout: layout)
  }

  private static let largestChunk = 1 << 30

  /// The filtered rows with their filter types.
  private static func filteredRows(
    _ pixels: Span<UInt8>, rowByteCount: Int, stride filterStride: Int
  ) -> [UInt8] {
    let nothing = [UInt8](repeating: 0, count: rowByteCount)
    var best = nothing
    var candidate = nothing
    var rows: [UInt8] = []
    rows.reserveCapacity(pixels.count + pixels.count / rowByteCount)
    for start in stride(from: 0, to: pixels.count, by: rowByteCount) {
      let row = pixels.extracting(start..<start + rowByteCount)
      let above =
        start == 0 ? nothing.span : pixels.extracting(start - rowByteCount..<start)
      var bestFilter = RowFilter.none
      var bestSum = Int.max
      for filter in RowFilter.allCases {
        var target = candidate.mutableSpan
        let sum = filter.apply(row, above: above, stride: filterStride, into: &target)
        if sum < bestSum {
          (bestSum, bestFilter) = (sum, filter)
          swap(&best, &candidate)
        }
      }
      rows.append(bestFilter.rawValue)
      rows.append(contentsOf: best)
    }
    return rows
  }

  private static func appendChunk(
    _ name: PNGChunk.Name, data: Span<UInt8>, to file: inout [UInt8]
  ) {
    file += bigEndianBytes(UInt32(data.count))
    let start = file.count
    file += bigEndianBytes(name.code)
    unsafe data.withUnsafeBufferPointer { unsafe file.append(contentsOf: $0) }
    file += bigEndianBytes(Checksum.crc32(file.span.extracting(start..<file.count)))
  }

  private static func bigEndianBytes(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
