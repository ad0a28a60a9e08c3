// SPDX-License-Identifier: Apache-2.0
//
// The form: RFC 4648, section 4.

/// Bytes as text of 64 characters, three bytes in four of them.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// The values of characters, 0 to 63; 64 for what is no character of the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// The text of `bytes`, with padding and without line breaks.
  package static func text(_ bytes: [UInt8]) -> String {
    let count = (bytes.count + 2) / 3 * 4
    return unsafe String(unsafeUninitializedCapacity: count) { text in
      for (group, start) in stride(from: 0, to: bytes.count, by: 3).enumerated() {
        var bits = UInt32(bytes[start]) << 16
        if start + 1 < bytes.count { bits |= UInt32(bytes[start + 1]) << 8 }
        if start + 2 < bytes.count { bits |= UInt32(bytes[start + 2]) }
        for position in 0..<4 {
          let isPadding = start + position > bytes.count
          let value = Int(bits >> UInt32(18 - 6 * position) & 63)
          unsafe text[4 * group + position] = isPadding ? padding : alphabet[value]
        }
      }
      return count
    }
  }

  /// The bytes of a text with its padding; nil for any other character, also a line break, and for
  /// a length that is no multiple of four.
  package static func bytes(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 4) else { return nil }
    let paddingCount = characters.suffix(2).reversed().prefix { $0 == padding }.count
    let valueCount = characters.count - paddingCount
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    var bits: UInt32 = 0
    for position in 0..<valueCount {
      let value = values[Int(characters[position])]
      guard value < 64 else { return nil }
      bits = bits << 6 | UInt32(value)
      guard position % 4 == 3 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
      bytes.append(UInt8(truncatingIfNeeded: bits))
    }
    switch paddingCount {
    case 1:
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    default: break
    }
    return bytes
  }
}
