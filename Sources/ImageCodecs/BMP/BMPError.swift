// SPDX-License-Identifier: Apache-2.0

/// Why a file is not a BMP that can be decoded, and where.
public struct BMPError: Error, Sendable, Hashable {
  /// What is wrong.
  public let reason: Reason

  /// The byte of the file at which it was found.
  public let offset: Int

  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// What can be wrong with a BMP file.
  public enum Reason: Sendable, Hashable {
    /// The first two bytes are not those of a BMP file.
    case signature
    /// The file ends inside its headers, palette or pixels.
    case truncated
    /// The header has a length that no version has.
    case headerLength(Int)
    /// Width or height is 0, or the width is negative.
    case size(width: Int, height: Int)
    /// The number of planes is not 1.
    case planeCount(Int)
    /// The number of bits of a pixel does not exist, or not with this compression.
    case bitsPerPixel(Int, compression: Int)
    /// The compression is not known or not supported.
    case compression(Int)
    /// The bits of a color's mask are not side by side.
    case bitMask(UInt32)
    /// The pixels begin inside the headers.
    case dataOffset(Int)
    /// The image would take more pixels or bytes than the limits allow.
    case tooLarge(width: Int, height: Int)
    /// The run lengths are too few for the image's size.
    case implausibleSize(width: Int, height: Int, byteCount: Int)
    /// A pixel's index lies behind the palette's end.
    case paletteIndex(Int, paletteCount: Int)
  }
}

extension BMPError: CustomStringConvertible {
  /// One line, such as `the file ends early at byte 41`.
  public var description: String { "\(reason) at byte \(offset)" }
}

extension BMPError.Reason: CustomStringConvertible {
  /// The reason alone, without its location.
  public var description: String {
    switch self {
    case .signature: "not a BMP file"
    case .truncated: "the file ends early"
    case .headerLength(let length): "header of unknown length \(length)"
    case .size(let width, let height): "impossible size \(width)x\(height)"
    case .planeCount(let count): "\(count) planes, wanted 1"
    case .bitsPerPixel(let count, let compression):
      "\(count) bits per pixel with compression \(compression)"
    case .compression(let value): "unsupported compression \(value)"
    case .bitMask(let mask): "bit mask 0x\(String(mask, radix: 16)) with gaps"
    case .dataOffset(let offset): "pixels that begin at byte \(offset), inside the headers"
    case .tooLarge(let width, let height): "size \(width)x\(height) beyond the limits"
    case .implausibleSize(let width, let height, let count):
      "\(count) bytes of run lengths for a size of \(width)x\(height)"
    case .paletteIndex(let index, let count): "palette index \(index) of \(count) colors"
    }
  }
}
