// SPDX-License-Identifier: Apache-2.0

/// Size and pixel format of a BMP file.
public struct BMPHeader: Sendable, Hashable {
  /// Columns, 1 or more.
  public let width: Int

  /// Rows, 1 or more.
  public let height: Int

  /// Bits of a pixel: 1, 2, 4, 8, 16, 24 or 32.
  public let bitsPerPixel: Int

  /// How the pixels are stored.
  public let compression: BMPCompression

  /// The first row in the file is the top one.
  public let isTopDown: Bool

  /// The length of the header behind the file's first 14 bytes, which tells its version.
  let headerByteCount: Int

  /// What the file says about the number of colors in its palette; 0 for as many as can be.
  let declaredPaletteCount: Int

  /// The first byte of the pixels.
  let dataOffset: Int

  /// The bits of red, green, blue and alpha, for pixels of 16 and 32 bits.
  let masks: [UInt32]

  /// Where the palette begins, behind header and masks.
  let paletteOffset: Int

  var pixelCount: Int { width * height }

  /// Bytes of a row that hold pixels.
  var usedRowByteCount: Int { (width * bitsPerPixel + 7) / 8 }

  /// Bytes of a row, which are a multiple of four.
  var rowByteCount: Int { (width * bitsPerPixel + 31) / 32 * 4 }

  /// Bytes of a color in the palette.
  var paletteStride: Int { headerByteCount == 12 ? 3 : 4 }

  /// Whether pixels have an alpha channel.
  var hasAlpha: Bool { masks.count == 4 && masks[3] != 0 }

  /// Reads the headers and the masks behind them.
  init(_ file: Span<UInt8>) throws(BMPError) {
    let signature = Array("BM".utf8)
    for index in signature.indices where index < file.count && file[index] != signature[index] {
      throw BMPError(.signature, at: 0)
    }
    let fields = BMPFields(file)
    let dataOffset = try fields.integer(at: 10)
    headerByteCount = try fields.integer(at: 14)
    guard [12, 16, 40, 52, 56, 64, 108, 124].contains(headerByteCount) else {
      throw BMPError(.headerLength(headerByteCount), at: 14)
    }
    let headerEnd = 14 + headerByteCount
    guard file.count >= headerEnd else { throw BMPError(.truncated, at: file.count) }

    let isCore = headerByteCount == 12
    let planeOffset = isCore ? 22 : 26
    width = isCore ? try fields.short(at: 18) : try fields.signed(at: 18)
    let signedHeight = isCore ? try fields.short(at: 20) : try fields.signed(at: 22)
    let planeCount = try fields.short(at: planeOffset)
    bitsPerPixel = try fields.short(at: planeOffset + 2)
    declaredPaletteCount = headerByteCount >= 40 ? try fields.integer(at: 46) : 0
    isTopDown = signedHeight < 0
    height = abs(signedHeight)

    guard width > 0, height > 0 else {
      throw BMPError(.size(width: width, height: signedHeight), at: 18)
    }
    guard planeCount == 1 else { throw BMPError(.planeCount(planeCount), at: planeOffset) }
    compression = try fields.compression(headerByteCount: headerByteCount)
    guard compression.depths.contains(bitsPerPixel) else {
      let reason = BMPError.Reason.bitsPerPixel(bitsPerPixel, compression: compression.rawValue)
      throw BMPError(reason, at: planeOffset + 2)
    }
    let behindHeader = headerByteCount == 40 ? compression.maskCount : 0
    masks = try fields.masks(
      bitsPerPixel: bitsPerPixel, compression: compression, headerByteCount: headerByteCount)
    paletteOffset = headerEnd + 4 * behindHeader
    guard dataOffset == 0 || dataOffset >= headerEnd else {
      throw BMPError(.dataOffset(dataOffset), at: 10)
    }
    let colorCount = bitsPerPixel <= 8 ? 1 << bitsPerPixel : 0
    let paletteCount =
      declaredPaletteCount == 0 ? colorCount : min(declaredPaletteCount, max(256, colorCount))
    let behindPalette = paletteOffset + paletteCount * (isCore ? 3 : 4)
    self.dataOffset = dataOffset == 0 ? behindPalette : dataOffset
  }
}

/// How a BMP file stores its pixels; raw values are those of the file.
public enum BMPCompression: Int, Sendable, Hashable, CaseIterable {
  /// As they are.
  case none = 0
  /// Run lengths of one-byte indices.
  case runLength8 = 1
  /// Run lengths of two indices to a byte.
  case runLength4 = 2
  /// As they are, with masks for red, green and blue.
  case bitFields = 3
  /// As they are, with masks for red, green, blue and alpha.
  case alphaBitFields = 6

  /// Bits per pixel that go with the compression.
  var depths: [Int] {
    switch self {
    case .none: [1, 2, 4, 8, 16, 24, 32]
    case .runLength8: [8]
    case .runLength4: [4]
    case .bitFields, .alphaBitFields: [16, 32]
    }
  }

  /// Masks that follow a header which is too short to hold them.
  var maskCount: Int {
    switch self {
    case .none, .runLength8, .runLength4: 0
    case .bitFields: 3
    case .alphaBitFields: 4
    }
  }
}

/// The little-endian numbers of a file.
private struct BMPFields: ~Escapable {
  private let file: Span<UInt8>

  @_lifetime(copy file)
  init(_ file: Span<UInt8>) { self.file = file }

  func short(at offset: Int) throws(BMPError) -> Int {
    guard offset + 2 <= file.count else { throw BMPError(.truncated, at: file.count) }
    return Int(file[offset]) | Int(file[offset + 1]) << 8
  }

  func integer(at offset: Int) throws(BMPError) -> Int {
    try short(at: offset) | short(at: offset + 2) << 16
  }

  func signed(at offset: Int) throws(BMPError) -> Int {
    Int(Int32(truncatingIfNeeded: try integer(at: offset)))
  }

  /// The compression; headers of fewer than 40 bytes have none.
  func compression(headerByteCount: Int) throws(BMPError) -> BMPCompression {
    guard headerByteCount >= 40 else { return .none }
    let code = try integer(at: 30)
    // OS/2 numbers its own compressions 3 and 4.
    guard let compression = BMPCompression(rawValue: code), headerByteCount != 64 || code < 3
    else { throw BMPError(.compression(code), at: 30) }
    return compression
  }

  /// The masks of red, green, blue and, if there is one, alpha.
  func masks(
    bitsPerPixel: Int, compression: BMPCompression, headerByteCount: Int
  ) throws(BMPError) -> [UInt32] {
    guard compression.maskCount > 0 else {
      return switch bitsPerPixel {
      case 16: [0x7C00, 0x03E0, 0x001F]
      case 32: [0xFF_0000, 0x00_FF00, 0x00_00FF]
      default: []
      }
    }
    let isInHeader = headerByteCount >= 56
    let count = isInHeader ? 4 : compression.maskCount
    var masks: [UInt32] = []
    for index in 0..<count {
      let offset = 54 + 4 * index
      let mask = UInt32(truncatingIfNeeded: try integer(at: offset))
      let ones = mask == 0 ? 0 : mask >> UInt32(mask.trailingZeroBitCount)
      guard ones & (ones &+ 1) == 0 else { throw BMPError(.bitMask(mask), at: offset) }
      masks.append(mask)
    }
    return masks
  }
}
