// SPDX-License-Identifier: Apache-2.0

extension Table {
  /// The integer in `slot`, or `fallback` when the writer left it out.
  @_specialize(where Value == Int8)
  @_specialize(where Value == UInt8)
  @_specialize(where Value == Int32)
  @_specialize(where Value == UInt32)
  @usableFromInline
  package func scalar<Value: FixedWidthInteger>(
    _ slot: Int, default fallback: Value = 0
  ) throws(FlatBufferError) -> Value {
    guard let field = try field(slot, byteCount: Value.bitWidth / 8) else { return fallback }
    return try bytes.integer(Value.self, at: field)
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
  package func scalar<Value: FixedWidthInteger>(
    at offset: Int
  ) throws(FlatBufferError) -> Value {
    guard offset >= 0, offset <= byteCount, Value.bitWidth / 8 <= byteCount - offset else {
      let available = max(0, byteCount - max(0, offset))
      throw FlatBufferError(
        .outOfBounds(needed: Value.bitWidth / 8, available: available), at: position)
    }
    return try bytes.integer(Value.self, at: position + offset)
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
