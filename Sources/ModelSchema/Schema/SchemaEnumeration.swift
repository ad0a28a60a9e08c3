// SPDX-License-Identifier: Apache-2.0

/// An enumeration of the schema: names for numbers from 0 on.
package struct SchemaEnumeration: Sendable {
  /// The schema's name.
  package let name: String
  /// The bytes of a stored number.
  package let byteCount: Int
  /// The schema's names, the first for 0.
  package let names: [String]

  /// An enumeration of these names.
  init(_ name: String, byteCount: Int, _ names: [String]) {
    self.name = name
    self.byteCount = byteCount
    self.names = names
  }

  /// The name for `number`; nil where the schema has none.
  package func name(for number: Int64) -> String? {
    Int(exactly: number).flatMap { names.indices.contains($0) ? names[$0] : nil }
  }
}

extension SchemaKind {
  /// The narrow form of operator codes, which older files have alone.
  package static let narrowOperator = SchemaKind.scalar(
    .name(
      SchemaEnumeration(
        OperatorCode.schema.name, byteCount: 1, Array(OperatorCode.schema.names.prefix(128)))))
}
