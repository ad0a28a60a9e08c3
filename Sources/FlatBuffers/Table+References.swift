// SPDX-License-Identifier: Apache-2.0

extension Table {
  /// The text in `slot`, or nil when the writer left it out.
  ///
  /// Invalid UTF-8 is repaired, and the final NUL is not required.
  package func string(_ slot: Int) throws(FlatBufferError) -> String? {
    guard let start = try target(slot) else { return nil }
    return try string(at: start)
  }

  func string(at start: Int) throws(FlatBufferError) -> String {
    let count = try bytes.distance(at: start)
    try bytes.check(at: start + 4, count: count)
    try budget.chargeBytes(count, at: start)
    return try bytes.text(at: start + 4, count: count)
  }

  /// The table in `slot`, or nil when the writer left it out.
  ///
  /// The value of a union is read in the same way; its type is the integer in the slot before.
  @_lifetime(copy self)
  package func table(_ slot: Int) throws(FlatBufferError) -> Table? {
    guard let start = try target(slot) else { return nil }
    return try Table(bytes, at: start, depth: depth + 1, budget: budget)
  }

  /// The root table of the buffer that is stored as a byte vector in `slot`.
  @_lifetime(copy self)
  package func nested(_ slot: Int) throws(FlatBufferError) -> Table? {
    guard let range = try byteRange(slot) else { return nil }
    let inner = bytes.extracting(range)
    let root = try inner.distance(at: 0)
    return try Table(inner, at: root, depth: depth + 1, budget: budget)
  }

  /// The vector of tables in `slot`; empty when the writer left it out.
  @_lifetime(copy self)
  package func tables(_ slot: Int) throws(FlatBufferError) -> TableVector {
    let range = try elements(slot, stride: 4)
    return TableVector(
      bytes: bytes, start: range?.start ?? 0, count: range?.count ?? 0, depth: depth,
      budget: budget)
  }
}

/// A vector of tables, each read when it is asked for.
package struct TableVector: ~Escapable {
  let bytes: Span<UInt8>
  /// The byte offset of the first element, behind the vector's length.
  package let start: Int
  /// The number of tables.
  package let count: Int
  let depth: Int
  let budget: FlatBufferBudget

  @_lifetime(copy bytes)
  init(bytes: Span<UInt8>, start: Int, count: Int, depth: Int, budget: FlatBufferBudget) {
    self.bytes = bytes
    self.start = start
    self.count = count
    self.depth = depth
    self.budget = budget
  }

  /// The table at `index`, which must be less than `count`.
  @_lifetime(copy self)
  package func table(at index: Int) throws(FlatBufferError) -> Table {
    precondition(index >= 0 && index < count, "table index out of range")
    let slot = start + 4 * index
    let position = slot + (try bytes.distance(at: slot))
    return try Table(bytes, at: position, depth: depth + 1, budget: budget)
  }
}
