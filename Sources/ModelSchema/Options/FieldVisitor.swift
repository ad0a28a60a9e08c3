// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// What options show their fields to: it reads, describes or writes them.
package protocol FieldVisitor: ~Escapable {
  /// Why a visit ends early.
  associatedtype Failure: Error

  /// A field in `slot`, called `name` in the schema, whose value is kept in `value`.
  func visit<Value: FieldValue>(
    _ slot: Int, _ name: String, _ value: inout Value, as role: FieldRole
  ) throws(Failure)

  /// A field without a value: the schema has given it up.
  func skip(_ slot: Int, _ name: String, _ kind: SchemaKind) throws(Failure)
}

extension FieldVisitor where Self: ~Escapable {
  /// A field that stands for nothing but its value.
  package func visit<Value: FieldValue>(
    _ slot: Int, _ name: String, _ value: inout Value
  ) throws(Failure) {
    try visit(slot, name, &value, as: .value)
  }
}

/// What the value of a field stands for.
package enum FieldRole: Sendable {
  /// Itself.
  case value
  /// Subgraphs of the model.
  case subgraph
  /// Options of a custom operator.
  case customOptions

  /// The kind of a field whose values are of `kind`.
  func kind(_ kind: SchemaKind) -> SchemaKind {
    switch (self, kind) {
    case (.subgraph, .scalar(let scalar)): .index(.subgraph, scalar)
    case (.subgraph, .vector): .indices(.subgraph)
    case (.customOptions, .vector): .customOptions
    case _: kind
    }
  }
}

/// Reads values that the table holds, and leaves the others as they are.
extension Table: FieldVisitor {
  package func visit<Value: FieldValue>(
    _ slot: Int, _ name: String, _ value: inout Value, as role: FieldRole
  ) throws(FlatBufferError) {
    try value.read(slot, of: self, name)
  }

  package func skip(_ slot: Int, _ name: String, _ kind: SchemaKind) throws(FlatBufferError) {}
}

/// A field of options: its description, and its value to be written; nil for none.
struct DescribedField {
  let schema: SchemaField
  let value: FlatField?
}

/// Lists fields with their values.
final class FieldList: FieldVisitor {
  private(set) var fields: [DescribedField] = []

  func visit<Value: FieldValue>(
    _ slot: Int, _ name: String, _ value: inout Value, as role: FieldRole
  ) throws(Never) {
    let schema = SchemaField(name: name, kind: role.kind(Value.kind))
    fields.append(DescribedField(schema: schema, value: value.written))
  }

  func skip(_ slot: Int, _ name: String, _ kind: SchemaKind) throws(Never) {
    fields.append(DescribedField(schema: SchemaField(name: name, kind: kind), value: nil))
  }
}
