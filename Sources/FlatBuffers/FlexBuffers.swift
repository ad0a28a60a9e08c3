// SPDX-License-Identifier: Apache-2.0

/// The schemaless sister of FlatBuffers, in which custom operators keep their options.
///
/// A buffer is read from its end: the last byte is the width of the root value, the one before
/// it the root's type. Offsets count backwards. Format: <https://flatbuffers.dev/flexbuffers/>.
public enum FlexBuffers {
  /// How deeply vectors and maps may be nested.
  public static let depthLimit = 32
  /// How many elements and keys the vectors and maps of a buffer may have, and how many bytes its texts
  /// and blobs, each as often as it occurs; short buffers may have fewer.
  public static let elementLimit = 1 << 20
  /// How many elements and keys the shortest buffer may have; others may have as many as bytes.
  package static let leastElementLimit = 256
  /// How many bytes of texts and blobs a buffer may have for each of its own: maps share their keys.
  package static let textPerByte = 64

  /// The value that `bytes` encode.
  ///
  /// - Throws: `FlatBufferError` where the bytes break the format or exceed a limit.
  public static func decode(_ bytes: Span<UInt8>) throws(FlatBufferError) -> FlexValue {
    guard bytes.count >= 3 else {
      throw FlatBufferError(.outOfBounds(needed: 3, available: bytes.count), at: 0)
    }
    let width = Int(bytes[bytes.count - 1])
    guard FlexDecoder.isWidth(width) else {
      throw FlatBufferError(.invalidWidth(width), at: bytes.count - 1)
    }
    var decoder = FlexDecoder(bytes)
    return try decoder.value(
      at: bytes.count - 2 - width, parentWidth: width, packedType: bytes[bytes.count - 2], depth: 0)
  }
}

/// The types of the format, by the upper six bits of a packed type.
enum FlexType: Sendable {
  case null, int, uint, float, bool, key, string
  case indirectInt, indirectUInt, indirectFloat
  case blob, map, vector
  /// A vector of elements of one type, its count stored in front or fixed.
  indirect case typedVector(FlexType, count: Int?)

  init?(code: Int) {
    switch code {
    case 0: self = .null
    case 1: self = .int
    case 2: self = .uint
    case 3: self = .float
    case 4: self = .key
    case 5: self = .string
    case 6: self = .indirectInt
    case 7: self = .indirectUInt
    case 8: self = .indirectFloat
    case 9: self = .map
    case 10: self = .vector
    case 11...13: self = .typedVector(Self.numbers[code - 11], count: nil)
    // Code 15 is a deprecated vector of strings, whose elements end with NUL as keys do.
    case 14, 15: self = .typedVector(.key, count: nil)
    case 16...24: self = .typedVector(Self.numbers[(code - 16) % 3], count: 2 + (code - 16) / 3)
    case 25: self = .blob
    case 26: self = .bool
    case 36: self = .typedVector(.bool, count: nil)
    default: return nil
    }
  }

  private static let numbers: [FlexType] = [.int, .uint, .float]
}
