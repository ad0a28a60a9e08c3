// SPDX-License-Identifier: Apache-2.0

internal import ResourceLimits

/// Brings the rows of a checked file into order.
struct PNGDecoder {
  private let contents: PNGContents
  private let expander: PixelExpander
  private let passes: [InterlacePass]
  private let keepsDeepPixels: Bool
  private var rows: ScanlineReader

  private var pixels: [UInt8] = []
  private var deepPixels: [UInt16] = []

  private var header: PNGHeader { contents.header }

  init(_ contents: PNGContents, limits: Limits, keepsDeepPixels: Bool) throws(PNGError) {
    let header = contents.header
    self.contents = contents
    self.keepsDeepPixels = keepsDeepPixels
    expander = PixelExpander(contents)
    passes = InterlacePass.passes(of: header)

    // Rows of at most 2³⁴ bytes; 2⁵⁶ bytes in all keep the products below from overflowing.
    let byteLimit = min(max(0, limits.imageByteCount), 1 << 56)
    let rowCost = 4 * header.rowByteCount(width: header.width)
    let pixelCost = 4 + (keepsDeepPixels ? 8 : 0) + (header.isInterlaced ? 8 : 0)
    guard max(header.width, header.height) <= limits.imageSide,
      header.pixelCount <= limits.imagePixelCount,
      header.pixelCount <= (byteLimit - rowCost) / pixelCost
    else {
      throw PNGError(.tooLarge(width: header.width, height: header.height))
    }
    let byteCount = passes.reduce(0) {
      $0 + $1.height * (1 + header.rowByteCount(width: $1.width))
    }
    let compressedCount = contents.imageData.reduce(0) { $0 + $1.data.count }
    guard byteCount / PNGDecoder.largestInflation <= compressedCount else {
      throw PNGError(
        .implausibleSize(
          width: header.width, height: header.height, compressedByteCount: compressedCount))
    }
    rows = ScanlineReader(
      try CompressedRows(chunks: contents.imageData), filterStride: header.filterStride)
  }

  /// Deflate's shortest code, two bits, gives at most 258 bytes.
  private static let largestInflation = 1032

  mutating func decode(_ file: Span<UInt8>) throws(PNGError) -> DecodedImage {
    if header.isInterlaced {
      try decodePasses(file)
    } else {
      try decodeRows(file)
    }
    return DecodedImage(
      width: header.width, height: header.height, pixels: pixels,
      deepPixels: keepsDeepPixels ? deepPixels : nil, hasAlpha: hasAlpha,
      orientation: contents.orientation)
  }

  /// Expands rows as they come.
  private mutating func decodeRows(_ file: Span<UInt8>) throws(PNGError) {
    pixels.reserveCapacity(4 * header.pixelCount)
    if keepsDeepPixels { deepPixels.reserveCapacity(4 * header.pixelCount) }
    var line = PixelLine(width: header.width, isDeep: header.bitDepth == 16)
    rows.startPass(rowByteCount: header.rowByteCount(width: header.width))
    for _ in 0..<header.height {
      try rows.next(in: file)
      try line.fill(from: rows.row.span, by: expander, row: rows.rowCount - 1, at: rows.location)
      pixels.append(contentsOf: line.pixels)
      if keepsDeepPixels { deepPixels.append(contentsOf: line.deepPixels) }
    }
    try rows.finish(in: file)
  }

  /// Keeps the rows of all passes as stored until the last has come, then puts their pixels
  /// where they belong: so that memory grows with what the file holds, not with what it declares.
  private mutating func decodePasses(_ file: Span<UInt8>) throws(PNGError) {
    var stored: [UInt8] = []
    for pass in passes {
      rows.startPass(rowByteCount: header.rowByteCount(width: pass.width))
      for _ in 0..<pass.height {
        try rows.next(in: file)
        stored.append(contentsOf: rows.row)
      }
    }
    try rows.finish(in: file)

    pixels = Array(repeating: 0, count: 4 * header.pixelCount)
    if keepsDeepPixels { deepPixels = Array(repeating: 0, count: 4 * header.pixelCount) }
    var start = 0
    for pass in passes {
      var line = PixelLine(width: pass.width, isDeep: header.bitDepth == 16)
      let byteCount = header.rowByteCount(width: pass.width)
      for passRow in 0..<pass.height {
        let row = pass.firstRow + passRow * pass.rowStep
        try line.fill(
          from: stored.span.extracting(start..<start + byteCount), by: expander, row: row,
          at: rows.location)
        location(line, of: pass, row: row)
        start += byteCount
      }
    }
  }

  private mutating func location(_ line: PixelLine, of pass: InterlacePass, row: Int) {
    let first = row * header.width + pass.firstColumn
    for column in 0..<pass.width {
      let target = 4 * (first + column * pass.columnStep)
      for channel in 0..<4 { pixels[target + channel] = line.pixels[4 * column + channel] }
    }
    guard keepsDeepPixels else { return }
    for column in 0..<pass.width {
      let target = 4 * (first + column * pass.columnStep)
      for channel in 0..<4 { deepPixels[target + channel] = line.deepPixels[4 * column + channel] }
    }
  }

  private var hasAlpha: Bool {
    switch header.colorType {
    case .greyAlpha, .rgba: true
    case .grey, .rgb, .indexed: contents.transparency != .none
    }
  }
}

/// One expanded row.
private struct PixelLine {
  var pixels: [UInt8]
  /// Empty unless the file's samples have 16 bits.
  var deepPixels: [UInt16]

  init(width: Int, isDeep: Bool) {
    pixels = Array(repeating: 0, count: 4 * width)
    deepPixels = Array(repeating: 0, count: isDeep ? 4 * width : 0)
  }

  mutating func fill(
    from stored: Span<UInt8>, by expander: PixelExpander, row: Int, at location: PNGError.Location
  ) throws(PNGError) {
    guard deepPixels.isEmpty else {
      var deepTarget = deepPixels.mutableSpan
      expander.expand(stored, into: &deepTarget)
      for index in pixels.indices { pixels[index] = UInt8(deepPixels[index] >> 8) }
      return
    }
    var target = pixels.mutableSpan
    if let index = expander.expand(stored, into: &target) {
      let count = expander.paletteCount
      throw PNGError(.paletteIndex(index, paletteCount: count, row: row), at: location)
    }
  }
}
