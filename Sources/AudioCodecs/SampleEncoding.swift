// SPDX-License-Identifier: Apache-2.0

/// How a sample is stored in a file.
public enum SampleEncoding: Sendable, Hashable, CustomStringConvertible {
  /// Integers in containers of 1 to 4 bytes: unsigned with the middle at 128 in one byte, two's
  /// complement in more. Where fewer bits are valid, they are the most significant ones.
  case integer(byteCount: Int)
  /// IEEE 754 numbers of 4 or 8 bytes.
  case float(byteCount: Int)
  /// A-law of ITU-T G.711, one byte.
  case aLaw
  /// mu-law of ITU-T G.711, one byte.
  case muLaw

  /// The bytes of a sample of one channel.
  public var byteCount: Int {
    switch self {
    case .integer(let byteCount), .float(let byteCount): byteCount
    case .aLaw, .muLaw: 1
    }
  }

  /// The encoding in words, such as `16-bit PCM`.
  public var description: String {
    switch self {
    case .integer(let byteCount): "\(8 * byteCount)-bit PCM"
    case .float(let byteCount): "\(8 * byteCount)-bit float"
    case .aLaw: "A-law"
    case .muLaw: "mu-law"
    }
  }

  /// Appends `count` samples from `bytes`, beginning with byte `start`, to `samples`.
  ///
  /// - Precondition: That many bytes are there.
  func decode(
    _ bytes: Span<UInt8>, from start: Int, count: Int, order: ByteOrder, to samples: inout [Float]
  ) {
    let end = start + count * byteCount
    switch self {
    case .integer(byteCount: 1):
      for offset in start..<end { samples.append((Float(bytes[offset]) - 128) / 128) }
    case .integer(byteCount: 2):
      for offset in stride(from: start, to: end, by: 2) {
        let bits = UInt16(truncatingIfNeeded: bytes.integer(at: offset, byteCount: 2, order))
        samples.append(Float(Int16(bitPattern: bits)) / 32768)
      }
    case .integer(let byteCount):
      // The sample becomes the upper bytes of 32 bits, which keeps its sign.
      let shift = 8 * (4 - byteCount)
      for offset in stride(from: start, to: end, by: byteCount) {
        let bits = UInt32(
          truncatingIfNeeded: bytes.integer(at: offset, byteCount: byteCount, order) << shift)
        samples.append(Float(Int32(bitPattern: bits)) / 0x1p31)
      }
    case .float(byteCount: 4):
      for offset in stride(from: start, to: end, by: 4) {
        let bits = UInt32(truncatingIfNeeded: bytes.integer(at: offset, byteCount: 4, order))
        samples.append(Float(bitPattern: bits))
      }
    case .float:
      for offset in stride(from: start, to: end, by: 8) {
        samples.append(
          Float(Double(bitPattern: bytes.integer(at: offset, byteCount: 8, order))))
      }
    case .aLaw:
      for offset in start..<end { samples.append(CompandedSample.aLaw[Int(bytes[offset])]) }
    case .muLaw:
      for offset in start..<end { samples.append(CompandedSample.muLaw[Int(bytes[offset])]) }
    }
  }
}

/// The order of the bytes of a number.
public enum ByteOrder: Sendable, Hashable {
  /// The least significant byte first.
  case littleEndian
  /// The most significant byte first.
  case bigEndian
}

extension Span<UInt8> {
  /// The unsigned integer in `byteCount` bytes, at most 8, at `offset`.
  ///
  /// - Precondition: The bytes are there.
  func integer(at offset: Int, byteCount: Int, _ order: ByteOrder) -> UInt64 {
    var value: UInt64 = 0
    switch order {
    case .littleEndian:
      for index in stride(from: byteCount - 1, through: 0, by: -1) {
        value = value << 8 | UInt64(self[offset + index])
      }
    case .bigEndian:
      for index in 0..<byteCount { value = value << 8 | UInt64(self[offset + index]) }
    }
    return value
  }
}
