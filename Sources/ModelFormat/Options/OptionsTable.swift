// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// The decoded options of an operator: one of the schema's options tables.
package protocol OptionsTable: Sendable, Equatable {
  /// The schema's defaults, which also stand for a table that was left out.
  init()

  /// The options that `table` holds, with defaults for what it leaves out.
  init(_ table: Table) throws(FlatBufferError)
}

/// Options without fields: their presence only names the operator.
package protocol EmptyOptionsTable: OptionsTable {}

extension EmptyOptionsTable {
  package init(_ table: Table) throws(FlatBufferError) { self.init() }
}

extension Table {
  /// The values of an enumeration in the vector in `slot`; empty when the writer left it out.
  func enumerations<Value: RawRepresentable>(
    _ slot: Int, field name: String
  ) throws(FlatBufferError) -> [Value] where Value.RawValue == UInt32 {
    var values: [Value] = []
    for code in try uint32s(slot) ?? [] {
      guard let value = Value(rawValue: code) else {
        throw FlatBufferError(.unknownValue(field: name, value: Int(code)), at: position)
      }
      values.append(value)
    }
    return values
  }
}
