// SPDX-License-Identifier: Apache-2.0

extension Table {
  /// The 16-bit numbers of the vector in `slot`, or nil when the writer left it out.
  package func uint16s(_ slot: Int) throws(FlatBufferError) -> [UInt16]? {
    try integers(slot, as: UInt16.self)
  }

  /// The 32-bit numbers of the vector in `slot`, or nil when the writer left it out.
  package func int32s(_ slot: Int) throws(FlatBufferError) -> [Int32]? {
    try integers(slot, as: Int32.self)
  }

  /// The vector of 32-bit indices in `slot`; empty when the writer left it out.
  package func indices(_ slot: Int) throws(FlatBufferError) -> [Int] {
    try numbers(slot, as: Int32.self) { Int($0) } ?? []
  }

  /// The unsigned 32-bit numbers of the vector in `slot`, or nil when the writer left it out.
  package func uint32s(_ slot: Int) throws(FlatBufferError) -> [UInt32]? {
    try integers(slot, as: UInt32.self)
  }

  /// The 64-bit numbers of the vector in `slot`, or nil when the writer left it out.
  package func int64s(_ slot: Int) throws(FlatBufferError) -> [Int64]? {
    try integers(slot, as: Int64.self)
  }

  /// The single-precision numbers of the vector in `slot`, or nil when it was left out.
  package func floats(_ slot: Int) throws(FlatBufferError) -> [Float]? {
    try numbers(slot, as: UInt32.self) { Float(bitPattern: $0) }
  }

  /// The double-precision numbers of the vector in `slot`, or nil when it was left out.
  package func doubles(_ slot: Int) throws(FlatBufferError) -> [Double]? {
    try numbers(slot, as: UInt64.self) { Double(bitPattern: $0) }
  }

  /// The single-precision number of the vector in `slot` if it has no other.
  package func onlyFloat(_ slot: Int) throws(FlatBufferError) -> Float? {
    try only(slot, as: UInt32.self).map(Float.init(bitPattern:))
  }

  /// The 64-bit number of the vector in `slot` if it has no other.
  package func onlyInt64(_ slot: Int) throws(FlatBufferError) -> Int64? {
    try only(slot, as: Int64.self)
  }

  @inline(__always)
  private func only<Value: FixedWidthInteger>(
    _ slot: Int, as type: Value.Type
  ) throws(FlatBufferError) -> Value? {
    guard let vector = try elements(slot, stride: Value.bitWidth / 8), vector.count == 1 else {
      return nil
    }
    try budget.chargeNumbers(1, at: vector.start)
    return bytes.assembled(type, at: vector.start)
  }

  private func integers<Value: FixedWidthInteger>(
    _ slot: Int, as type: Value.Type
  ) throws(FlatBufferError) -> [Value]? {
    try numbers(slot, as: type) { $0 }
  }

  /// What `convert` makes of the integers of the vector in `slot`.
  ///
  /// Generic within the module only, where it is specialized for each type of number. So is `map`; an
  /// array of one number repeated would look up its type at run time, each time.
  @inline(__always)
  private func numbers<Value: FixedWidthInteger, Result>(
    _ slot: Int, as type: Value.Type, _ convert: (Value) -> Result
  ) throws(FlatBufferError) -> [Result]? {
    let stride = Value.bitWidth / 8
    guard let vector = try elements(slot, stride: stride) else { return nil }
    try budget.chargeNumbers(vector.count, at: vector.start)
    let part = bytes.extracting(vector.start..<vector.start + stride * vector.count)
    return (0..<vector.count).map { convert(part.assembled(type, at: stride &* $0)) }
  }

  /// The truth values of the vector in `slot`, or nil when it was left out.
  package func bools(_ slot: Int) throws(FlatBufferError) -> [Bool]? {
    try bytes(slot)?.map { $0 != 0 }
  }

  /// The texts of the vector in `slot`, or nil when it was left out.
  package func strings(_ slot: Int) throws(FlatBufferError) -> [String]? {
    guard let vector = try elements(slot, stride: 4) else { return nil }
    try budget.chargeNumbers(vector.count, at: vector.start)
    var texts: [String] = []
    texts.reserveCapacity(vector.count)
    for index in 0..<vector.count {
      let element = vector.start + 4 * index
      texts.append(try string(at: element + (try bytes.distance(at: element))))
    }
    return texts
  }

  /// The bytes of the vector in `slot`, or nil when the writer left it out.
  package func bytes(_ slot: Int) throws(FlatBufferError) -> [UInt8]? {
    guard let range = try byteRange(slot) else { return nil }
    return try copy(range)
  }

  /// The bytes of the buffer in `range`, whether or not a vector refers to them.
  package func copy(_ range: Range<Int>) throws(FlatBufferError) -> [UInt8] {
    try bytes.check(at: range.lowerBound, count: range.count)
    try budget.chargeBytes(range.count, at: range.lowerBound)
    return bytes.array(in: range)
  }

  /// The range of `size` bytes from `offset` on, if it lies within the buffer.
  package func range(offset: UInt64, size: UInt64) throws(FlatBufferError) -> Range<Int> {
    let first = Int(clamping: offset)
    let count = Int(clamping: size)
    try bytes.check(at: first, count: count)
    return first..<first + count
  }

  /// Where the bytes of the vector in `slot` lie in the buffer, or nil when it was left out.
  package func byteRange(_ slot: Int) throws(FlatBufferError) -> Range<Int>? {
    guard let vector = try elements(slot, stride: 1) else { return nil }
    return vector.start..<vector.start + vector.count
  }

  /// Where the bytes of the vector in `slot` lie, for a vector with 64-bit offset and length.
  package func byteRange64(_ slot: Int) throws(FlatBufferError) -> Range<Int>? {
    guard let field = try field(slot, byteCount: 8) else { return nil }
    let distance = try bytes.integer(UInt64.self, at: field)
    guard let start = Int(exactly: distance), start <= bytes.count - field else {
      throw FlatBufferError(.outOfBounds(needed: 8, available: 0), at: field)
    }
    let length = try bytes.integer(UInt64.self, at: field + start)
    let first = field + start + 8
    let count = Int(clamping: length)
    try bytes.check(at: first, count: count)
    return first..<first + count
  }

  /// The first byte and the number of elements of the vector in `slot`, all of them in bounds.
  package func elements(
    _ slot: Int, stride: Int
  ) throws(FlatBufferError) -> (start: Int, count: Int)? {
    guard let vector = try target(slot) else { return nil }
    let count = try bytes.distance(at: vector)
    try bytes.check(at: vector + 4, count: count * stride)
    return (vector + 4, count)
  }
}
