// SPDX-License-Identifier: Apache-2.0

package import ResourceLimits

/// A table of a FlatBuffer, read lazily from untrusted bytes.
///
/// A field is named by its slot: its position among the fields of the schema's table. Every
/// access is checked against the buffer and against a budget that all tables of one buffer share.
/// Format: <https://flatbuffers.dev/internals/>.
@usableFromInline
package struct Table: ~Escapable {
  let bytes: Span<UInt8>
  /// The byte offset of the table, from the start of the buffer.
  @usableFromInline package let position: Int
  let virtualTable: Int
  let virtualTableLength: Int
  /// The bytes of the table with the fields that lie in it.
  package let length: Int
  let depth: Int
  let budget: FlatBufferBudget

  /// The root table of a buffer, which must carry `identifier` if one is given.
  @_lifetime(copy bytes)
  package init(
    root bytes: Span<UInt8>, identifier: String? = nil, limits: Limits = Limits()
  ) throws(FlatBufferError) {
    let root = try bytes.distance(at: 0)
    if let identifier {
      let found = try bytes.text(at: 4, count: 4)
      guard found == identifier else {
        throw FlatBufferError(.wrongIdentifier(found: found, wanted: identifier), at: 4)
      }
    }
    let budget = FlatBufferBudget(limits, byteCount: bytes.count)
    try self.init(bytes, at: root, depth: 1, budget: budget)
  }

  @_lifetime(copy bytes)
  init(
    _ bytes: Span<UInt8>, at position: Int, depth: Int, budget: FlatBufferBudget
  ) throws(FlatBufferError) {
    try budget.chargeTable(depth: depth, at: position)
    let toVirtualTable = Int(try bytes.integer(Int32.self, at: position))
    let virtualTable = position - toVirtualTable
    let virtualTableLength = Int(try bytes.integer(UInt16.self, at: virtualTable))
    guard virtualTableLength >= 4, virtualTableLength.isMultiple(of: 2) else {
      throw FlatBufferError(.invalidVirtualTable(length: virtualTableLength), at: virtualTable)
    }
    try bytes.check(at: virtualTable, count: virtualTableLength)
    let length = Int(try bytes.integer(UInt16.self, at: virtualTable + 2))
    try bytes.check(at: position, count: length)

    self.bytes = bytes
    self.position = position
    self.virtualTable = virtualTable
    self.virtualTableLength = virtualTableLength
    self.length = length
    self.depth = depth
    self.budget = budget
  }

  /// The bytes of the table that says where fields lie; other tables may use the same.
  package var virtualTableRange: Range<Int> { virtualTable..<virtualTable + virtualTableLength }

  /// The number of slots that the writer's schema knew, whether or not they are in use.
  package var slotCount: Int { (virtualTableLength - 4) / 2 }

  /// The byte offset of the field in `slot`, or nil when the writer left it out.
  package func field(_ slot: Int, byteCount: Int) throws(FlatBufferError) -> Int? {
    let entry = 4 + 2 * slot
    guard entry + 2 <= virtualTableLength else { return nil }
    let offset = Int(try bytes.integer(UInt16.self, at: virtualTable + entry))
    guard offset != 0 else { return nil }
    guard offset >= 4, offset + byteCount <= length else {
      throw FlatBufferError(.fieldOutsideTable(slot: slot), at: virtualTable + entry)
    }
    return position + offset
  }

  /// The byte offset that the field in `slot` points to, or nil when the writer left it out.
  package func target(_ slot: Int) throws(FlatBufferError) -> Int? {
    guard let field = try field(slot, byteCount: 4) else { return nil }
    return field + (try bytes.distance(at: field))
  }

  /// Whether the writer wrote the field in `slot`.
  package func has(_ slot: Int) throws(FlatBufferError) -> Bool {
    try field(slot, byteCount: 0) != nil
  }
}
