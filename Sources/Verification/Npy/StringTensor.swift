// SPDX-License-Identifier: Apache-2.0

/// The layout of a `STRING` tensor's bytes.
///
///     int32 count · int32 offset[count + 1], the last one the end · the characters
package enum StringTensor {
  /// The strings that a tensor's bytes hold.
  ///
  /// - Throws: `NpyError` where the table does not fit the bytes.
  package static func strings(in bytes: [UInt8]) throws(NpyError) -> [[UInt8]] {
    func number(_ position: Int) -> Int {
      let start = 4 * position
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
      return Int(Int32(bitPattern: bits))
    }
    guard bytes.count >= 4 else { throw NpyError("string tensor of \(bytes.count) bytes") }
    let count = number(0)
    guard count >= 0, count <= (bytes.count - 4) / 4 else {
      throw NpyError("string tensor claims \(count) strings in \(bytes.count) bytes")
    }
    // An empty tensor may end after its count.
    if count == 0 { return [] }
    guard bytes.count >= 4 * (count + 2) else {
      throw NpyError("string tensor ends within its table of offsets")
    }
    var strings: [[UInt8]] = []
    for position in 0..<count {
      let (start, end) = (number(1 + position), number(2 + position))
      guard start >= 4 * (count + 2), start <= end, end <= bytes.count else {
        throw NpyError("string \(position) lies at \(start)..<\(end) of \(bytes.count) bytes")
      }
      strings.append(Array(bytes[start..<end]))
    }
    return strings
  }

  /// The bytes of a tensor of these strings.
  ///
  /// - Throws: `NpyError` where offsets would not fit 32 bits.
  package static func bytes(of strings: [[UInt8]]) throws(NpyError) -> [UInt8] {
    var offset = 4 * (strings.count + 2)
    var numbers = [strings.count, offset]
    for string in strings {
      offset += string.count
      numbers.append(offset)
    }
    guard offset <= Int32.max else { throw NpyError("strings of \(offset) bytes in all") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(offset)
    for number in numbers {
      for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(number >> shift & 0xFF)) }
    }
    for string in strings { bytes += string }
    return bytes
  }
}
