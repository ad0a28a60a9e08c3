// SPDX-License-Identifier: Apache-2.0

/// Why a file is not a PNG that can be decoded, or pixels cannot be encoded, and where.
public struct PNGError: Error, Sendable, Hashable {
  /// What is wrong.
  public let reason: Reason

  /// Where in the file it was found, if it belongs to a location.
  public let location: Location?

  /// A location in a PNG file.
  public struct Location: Sendable, Hashable {
    /// The chunk's four letters (other bytes are written in hexadecimal), or nil between chunks.
    public let chunk: String?

    /// The first byte of the chunk in the file, that of its length, or the location between chunks.
    public let offset: Int
  }

  init(_ reason: Reason, at location: Location? = nil) {
    self.reason = reason
    self.location = location
  }

  /// What can be wrong with a PNG file.
  public enum Reason: Sendable, Hashable {
    /// The first eight bytes are not those of a PNG file.
    case signature
    /// The first bytes are those of another format.
    case otherFormat(String)
    /// The first bytes are those of a PNG file whose line ends somebody changed.
    case changedLineEnds
    /// The file is of Apple's private variant, found in iOS applications.
    case appleVariant
    /// The file ends inside a chunk or before `IEND`.
    case truncated
    /// A chunk's name is not four letters.
    case chunkName
    /// A chunk declares a length of 2³¹ bytes or more, or one that its kind cannot have.
    case chunkLength(Int, wanted: String)
    /// A critical chunk's checksum disagrees with its bytes.
    case crc
    /// The first chunk is not `IHDR`.
    case missingHeader
    /// A chunk that may appear once appears again.
    case duplicateChunk
    /// A chunk stands behind one that it must precede.
    case misplacedChunk(after: String)
    /// A chunk that cannot be ignored is not known.
    case unknownCriticalChunk
    /// Width or height is 0 or more than 2³¹ - 1.
    case size(width: Int, height: Int)
    /// The color type is not one of 0, 2, 3, 4, 6.
    case colorType(UInt8)
    /// The color type does not come in this depth.
    case bitDepth(UInt8, PNGColorType)
    /// The compression method is not 0.
    case compressionMethod(UInt8)
    /// The filter method is not 0.
    case filterMethod(UInt8)
    /// The interlace method is neither 0 nor 1.
    case interlaceMethod(UInt8)
    /// The image would take more pixels or bytes than the limits allow.
    case tooLarge(width: Int, height: Int)
    /// An indexed image has no palette before its pixels or their transparency.
    case missingPalette
    /// There is no `IDAT` chunk.
    case missingImageData
    /// zlib refuses the compressed pixels.
    case compressedData(String)
    /// The compressed pixels are too few for the image's size, however well compressed.
    case implausibleSize(width: Int, height: Int, compressedByteCount: Int)
    /// The compressed pixels end in this row, or, when it is the height, before their checksum.
    case imageDataTooShort(row: Int)
    /// A row's filter type is more than 4.
    case filterType(UInt8, row: Int)
    /// A pixel's index lies behind the palette's end.
    case paletteIndex(Int, paletteCount: Int, row: Int)
    /// The pixels to encode are not width × height × channels bytes.
    case pixelByteCount(Int, wanted: Int)
    /// zlib had no memory for its state.
    case outOfMemory
  }
}

extension PNGError: CustomStringConvertible {
  /// One line, such as `bad CRC in chunk IDAT at byte 41`.
  public var description: String {
    guard let location else { return reason.description }
    let chunk = location.chunk.map { " in chunk \($0)" } ?? ""
    return "\(reason)\(chunk) at byte \(location.offset)"
  }
}

extension PNGError.Reason: CustomStringConvertible {
  /// The reason alone, without its location.
  public var description: String {
    switch self {
    case .signature: "not a PNG file"
    case .otherFormat(let name): "\(name) data, not a PNG file"
    case .changedLineEnds: "a PNG file damaged by a transfer as text"
    case .appleVariant: "Apple's private variant of PNG"
    case .truncated: "the file ends early"
    case .chunkName: "name that is not four letters"
    case .chunkLength(let count, let wanted): "length \(count) instead of \(wanted)"
    case .crc: "bad CRC"
    case .missingHeader: "no IHDR chunk at the start but something else"
    case .duplicateChunk: "second occurrence"
    case .misplacedChunk(let earlier): "misplaced data after \(earlier)"
    case .unknownCriticalChunk: "unknown critical data"
    case .size(let width, let height): "impossible size \(width)x\(height)"
    case .colorType(let value): "unknown color type \(value)"
    case .bitDepth(let depth, let type):
      "bit depth \(depth) with color type \(type.rawValue)"
    case .compressionMethod(let value): "unknown compression method \(value)"
    case .filterMethod(let value): "unknown filter method \(value)"
    case .interlaceMethod(let value): "unknown interlace method \(value)"
    case .tooLarge(let width, let height): "size \(width)x\(height) beyond the limits"
    case .missingPalette: "no palette before it"
    case .missingImageData: "no image data"
    case .compressedData(let text): "bad compressed data (\(text))"
    case .implausibleSize(let width, let height, let count):
      "\(count) bytes of image data for a size of \(width)x\(height)"
    case .imageDataTooShort(let row): "image data ends early (row \(row))"
    case .filterType(let value, let row): "unknown filter type \(value) (row \(row))"
    case .paletteIndex(let index, let count, let row):
      "palette index \(index) of \(count) colors (row \(row))"
    case .pixelByteCount(let count, let wanted): "\(count) bytes of pixels instead of \(wanted)"
    case .outOfMemory: "out of memory"
    }
  }
}
