// SPDX-License-Identifier: Apache-2.0

extension Span where Element == UInt8 {
  /// Throws unless `count` bytes lie in the buffer from `offset` on.
  func check(at offset: Int, count: Int) throws(FlatBufferError) {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      let available = offset < 0 || offset > self.count ? 0 : self.count - offset
      throw FlatBufferError(.outOfBounds(needed: count, available: available), at: offset)
    }
  }

  /// The little-endian integer at `offset`, whatever its alignment.
  package func integer<Value: FixedWidthInteger>(
    _ type: Value.Type, at offset: Int
  ) throws(FlatBufferError) -> Value {
    try check(at: offset, count: Value.bitWidth / 8)
    return assembled(type, at: offset)
  }

  /// The little-endian integer at `offset`, which the caller has checked to be in bounds.
  @inline(__always)
  func assembled<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int) -> Value {
    // The one check of the part makes those of its bytes needless, and their loads a single one.
    let part = extracting(offset..<offset + Value.bitWidth / 8)
    var bits: UInt64 = 0
    for byte in 0..<Value.bitWidth / 8 {
      bits |= UInt64(part[byte]) << UInt64(8 * byte)
    }
    return Value(truncatingIfNeeded: bits)
  }

  /// The bits of the little-endian integer of 1, 2, 4 or 8 bytes at `offset`.
  func bits(at offset: Int, byteCount: Int) throws(FlatBufferError) -> UInt64 {
    switch byteCount {
    case 1: UInt64(try integer(UInt8.self, at: offset))
    case 2: UInt64(try integer(UInt16.self, at: offset))
    case 4: UInt64(try integer(UInt32.self, at: offset))
    default: try integer(UInt64.self, at: offset)
    }
  }

  /// The unsigned 32-bit number at `offset` as a count or distance.
  func distance(at offset: Int) throws(FlatBufferError) -> Int {
    Int(try integer(UInt32.self, at: offset))
  }

  /// The text of `count` bytes from `offset` on; invalid UTF-8 is repaired.
  func text(at offset: Int, count: Int) throws(FlatBufferError) -> String {
    try check(at: offset, count: count)
    let range = offset..<offset + count
    guard let valid = try? UTF8Span(validating: extracting(range)) else {
      return String(decoding: array(in: range), as: UTF8.self)
    }
    return String(copying: valid)
  }

  /// A copy of the bytes in `range`, which the caller has checked to be in bounds.
  func array(in range: Range<Int>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(range.count)
    for index in range { copy.append(self[index]) }
    return copy
  }
}

extension [UInt8] {
  /// Puts the lowest `byteCount` bytes of `bits` at `position`, which must be in bounds.
  package mutating func set(_ bits: UInt64, byteCount: Int, at position: Int) {
    for byte in 0..<byteCount {
      self[position + byte] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * byte))
    }
  }
}
