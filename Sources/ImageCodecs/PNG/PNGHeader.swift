// SPDX-License-Identifier: Apache-2.0

/// What the samples of a PNG pixel are; raw values are those of the file.
public enum PNGColorType: UInt8, Sendable, Hashable, CaseIterable {
  /// One grey sample.
  case grey = 0
  /// Red, green, blue.
  case rgb = 2
  /// An index into the palette.
  case indexed = 3
  /// Grey and alpha.
  case greyAlpha = 4
  /// Red, green, blue, alpha.
  case rgba = 6

  /// Samples per pixel.
  public var channelCount: Int {
    switch self {
    case .grey, .indexed: 1
    case .greyAlpha: 2
    case .rgb: 3
    case .rgba: 4
    }
  }

  /// The bits per sample that the format allows.
  public var bitDepths: [Int] {
    switch self {
    case .grey: [1, 2, 4, 8, 16]
    case .indexed: [1, 2, 4, 8]
    case .rgb, .greyAlpha, .rgba: [8, 16]
    }
  }
}

/// The `IHDR` chunk: size and pixel format of a PNG file.
public struct PNGHeader: Sendable, Hashable {
  /// Columns, 1 or more.
  public let width: Int

  /// Rows, 1 or more.
  public let height: Int

  /// Bits per sample.
  public let bitDepth: Int

  /// What the samples of a pixel are.
  public let colorType: PNGColorType

  /// Whether the rows come in the seven passes of Adam7.
  public let isInterlaced: Bool

  var pixelCount: Int { width * height }

  var bitsPerPixel: Int { bitDepth * colorType.channelCount }

  /// The distance between a byte and the one that filters compare it with.
  var filterStride: Int { max(1, bitsPerPixel / 8) }

  /// Bytes of a row of `width` pixels, without its filter type.
  func rowByteCount(width: Int) -> Int {
    // At most 2³¹ pixels of 64 bits.
    (width * bitsPerPixel + 7) / 8
  }

  /// Reads the data of an `IHDR` chunk.
  init(_ data: Span<UInt8>, at location: PNGError.Location) throws(PNGError) {
    guard data.count == 13 else {
      throw PNGError(.chunkLength(data.count, wanted: "13"), at: location)
    }
    let width = data.bigEndian32(at: 0)
    let height = data.bigEndian32(at: 4)
    guard (1...PNGHeader.largestSide).contains(width), (1...PNGHeader.largestSide).contains(height)
    else { throw PNGError(.size(width: width, height: height), at: location) }

    let bitDepth = Int(data[8])
    guard let colorType = PNGColorType(rawValue: data[9]) else {
      throw PNGError(.colorType(data[9]), at: location)
    }
    guard colorType.bitDepths.contains(bitDepth) else {
      throw PNGError(.bitDepth(data[8], colorType), at: location)
    }
    guard data[10] == 0 else { throw PNGError(.compressionMethod(data[10]), at: location) }
    guard data[11] == 0 else { throw PNGError(.filterMethod(data[11]), at: location) }
    guard data[12] <= 1 else { throw PNGError(.interlaceMethod(data[12]), at: location) }

    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.colorType = colorType
    self.isInterlaced = data[12] == 1
  }

  private static let largestSide = Int(Int32.max)
}

extension Span<UInt8> {
  /// The four bytes at `position`, most significant first.
  func bigEndian32(at position: Int) -> Int {
    var value = 0
    for offset in 0..<4 { value = value << 8 | Int(self[position + offset]) }
    return value
  }

  /// The two bytes at `position`, most significant first.
  func bigEndian16(at position: Int) -> Int {
    Int(self[position]) << 8 | Int(self[position + 1])
  }
}
