// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// The decoded options of an operator: one of the schema's options tables.
package protocol OptionsTable: Sendable, Equatable {
  /// The schema's defaults, which also stand for a table that was left out.
  init()

  /// Shows each field to a visitor, in the order of slots.
  mutating func visit<V: FieldVisitor & ~Escapable>(_ fields: V) throws(V.Failure)
}

extension OptionsTable {
  /// The options that `table` holds, with defaults for what it leaves out.
  package init(_ table: Table) throws(FlatBufferError) {
    self.init()
    try visit(table)
  }

  /// All options as a table to be written.
  package var table: FlatTable {
    var fields: [Int: FlatField] = [:]
    for (slot, field) in described.enumerated() { fields[slot] = field.value }
    return FlatTable(fields)
  }

  /// The fields in the order of slots, with the schema's names and kinds.
  var described: [DescribedField] {
    let list = FieldList()
    var copy = self
    copy.visit(list)
    return list.fields
  }
}

/// Options without fields: their presence only names the operator.
package protocol EmptyOptionsTable: OptionsTable {}

extension EmptyOptionsTable {
  package mutating func visit<V: FieldVisitor & ~Escapable>(_ fields: V) throws(V.Failure) {}
}
