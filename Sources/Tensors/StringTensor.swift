// SPDX-License-Identifier: Apache-2.0

/// The layout of a `STRING` tensor's bytes, all numbers little-endian.
///
///     int32 count · int32 offset[count + 1], the last one the end · the characters
///
/// TFLite: `string_util.h`.
package enum StringTensor {
  /// Why bytes are no string tensor, or strings do not fit one.
  package struct Malformed: Error, Equatable, CustomStringConvertible {
    /// The reason, for a reader.
    package let description: String
  }

  /// Where each string lies in a tensor's bytes.
  ///
  /// - Throws: `Malformed` where the table does not fit the bytes.
  package static func ranges(in bytes: Span<UInt8>) throws(Malformed) -> [Range<Int>] {
    guard bytes.count >= 4 else {
      throw Malformed(description: "string tensor of \(bytes.count) bytes")
    }
    let count = number(bytes, 0)
    guard count >= 0, count <= (bytes.count - 4) / 4 else {
      throw Malformed(description: "string tensor claims \(count) strings in \(bytes.count) bytes")
    }
    // An empty tensor may end after its count.
    if count == 0 { return [] }
    guard bytes.count >= 4 * (count + 2) else {
      throw Malformed(description: "string tensor ends within its table of offsets")
    }
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(count)
    for position in 0..<count {
      let (start, end) = (number(bytes, 1 + position), number(bytes, 2 + position))
      guard start >= 4 * (count + 2), start <= end, end <= bytes.count else {
        throw Malformed(
          description: "string \(position) lies at \(start)..<\(end) of \(bytes.count) bytes")
      }
      ranges.append(start..<end)
    }
    return ranges
  }

  /// The strings that a tensor's bytes hold.
  ///
  /// - Throws: `Malformed` where the table does not fit the bytes.
  package static func strings(in bytes: [UInt8]) throws(Malformed) -> [[UInt8]] {
    try ranges(in: bytes.span).map { Array(bytes[$0]) }
  }

  /// The numbers in front of strings of these lengths.
  ///
  /// - Throws: `Malformed` where offsets would not fit 32 bits.
  package static func header(lengths: [Int]) throws(Malformed) -> [Int32] {
    var offset = 4 * (lengths.count + 2)
    var numbers = [Int32(clamping: lengths.count), Int32(clamping: offset)]
    numbers.reserveCapacity(lengths.count + 2)
    for length in lengths {
      offset += length
      guard offset <= Int32.max else {
        throw Malformed(description: "strings of more than \(Int32.max) bytes in all")
      }
      numbers.append(Int32(offset))
    }
    return numbers
  }

  /// The bytes of a tensor of these strings.
  ///
  /// - Throws: `Malformed` where offsets would not fit 32 bits.
  package static func bytes(of strings: [[UInt8]]) throws(Malformed) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in try header(lengths: strings.map { $0.count }) {
      for shift in stride(from: Int32(0), to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    for string in strings { bytes += string }
    return bytes
  }

  private static func number(_ bytes: Span<UInt8>, _ position: Int) -> Int {
    var bits: UInt32 = 0
    for byte in 0..<4 { bits |= UInt32(bytes[4 * position + byte]) << UInt32(8 * byte) }
    return Int(Int32(bitPattern: bits))
  }
}
