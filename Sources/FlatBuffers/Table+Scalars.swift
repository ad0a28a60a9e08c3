// SPDX-License-Identifier: Apache-2.0

extension Table {
  /// The integer in `slot`, or `fallback` when the writer left it out.
  @inlinable
  @inline(__always)
  package func scalar<Value: FixedWidthInteger>(
    _ slot: Int, default fallback: Value = 0
  ) throws(FlatBufferError) -> Value {
    let bits = try bits(slot, byteCount: Value.bitWidth / 8)
    return bits.map { Value(truncatingIfNeeded: $0) } ?? fallback
  }

  /// The bits of the integer in `slot`, or nil when the writer left it out.
  @usableFromInline
  package func bits(_ slot: Int, byteCount: Int) throws(FlatBufferError) -> UInt64? {
    guard let field = try field(slot, byteCount: byteCount) else { return nil }
    return try bytes.bits(at: field, byteCount: byteCount)
  }

  /// The single-precision number in `slot`, or `fallback` when the writer left it out.
  package func float(_ slot: Int, default fallback: Float = 0) throws(FlatBufferError) -> Float {
    Float(bitPattern: try scalar(slot, default: fallback.bitPattern))
  }

  /// The double-precision number in `slot`, or `fallback` when the writer left it out.
  package func double(
    _ slot: Int, default fallback: Double = 0
  ) throws(FlatBufferError) -> Double {
    Double(bitPattern: try scalar(slot, default: fallback.bitPattern))
  }

  /// The truth value in `slot`, or `fallback` when the writer left it out.
  package func bool(_ slot: Int, default fallback: Bool = false) throws(FlatBufferError) -> Bool {
    try scalar(slot, default: fallback ? UInt8(1) : 0) != 0
  }

  /// The value of an enumeration in `slot`, or `fallback` when the writer left it out.
  ///
  /// A number that the enumeration does not define is an error that names `field`.
  @inlinable
  @inline(__always)
  package func enumeration<Value: RawRepresentable>(
    _ slot: Int, default fallback: Value, field name: String
  ) throws(FlatBufferError) -> Value where Value.RawValue: FixedWidthInteger {
    let code = try scalar(slot, default: fallback.rawValue)
    guard let value = Value(rawValue: code) else {
      let number = Int(truncatingIfNeeded: code)
      throw FlatBufferError(.unknownValue(field: name, value: number), at: position)
    }
    return value
  }

  /// The inline structure of `byteCount` bytes in `slot`, or nil when the writer left it out.
  @_lifetime(copy self)
  package func structure(_ slot: Int, byteCount: Int) throws(FlatBufferError) -> Structure? {
    guard let field = try field(slot, byteCount: byteCount) else { return nil }
    try bytes.check(at: field, count: byteCount)
    return Structure(bytes: bytes, position: field, byteCount: byteCount)
  }
}

/// An inline structure: fields at fixed byte offsets, all of them present.
@usableFromInline
package struct Structure: ~Escapable {
  let bytes: Span<UInt8>
  let position: Int
  let byteCount: Int

  @_lifetime(copy bytes)
  init(bytes: Span<UInt8>, position: Int, byteCount: Int) {
    self.bytes = bytes
    self.position = position
    self.byteCount = byteCount
  }

  /// The integer at `offset` bytes from the start of the structure.
  @inlinable
  @inline(__always)
  package func scalar<Value: FixedWidthInteger>(
    at offset: Int
  ) throws(FlatBufferError) -> Value {
    Value(truncatingIfNeeded: try bits(at: offset, count: Value.bitWidth / 8))
  }

  /// The bits of the integer of `count` bytes at `offset` bytes from the start of the structure.
  @usableFromInline
  package func bits(at offset: Int, count: Int) throws(FlatBufferError) -> UInt64 {
    guard offset >= 0, offset <= byteCount, count <= byteCount - offset else {
      let available = max(0, byteCount - max(0, offset))
      throw FlatBufferError(.outOfBounds(needed: count, available: available), at: position)
    }
    return try bytes.bits(at: position + offset, byteCount: count)
  }

  /// The single-precision number at `offset` bytes from the start of the structure.
  package func float(at offset: Int) throws(FlatBufferError) -> Float {
    Float(bitPattern: try scalar(at: offset))
  }

  /// The double-precision number at `offset` bytes from the start of the structure.
  package func double(at offset: Int) throws(FlatBufferError) -> Double {
    Double(bitPattern: try scalar(at: offset))
  }
}
