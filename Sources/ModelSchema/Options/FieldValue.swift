// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// The value of a field of options.
package protocol FieldValue {
  /// What the schema calls it.
  static var kind: SchemaKind { get }

  /// Takes the value in `slot`, if the writer did not leave it out.
  mutating func read(_ slot: Int, of table: Table, _ name: String) throws(FlatBufferError)

  /// The value as it is written.
  var written: FlatField { get }
}

/// A number, which fields hold alone or in vectors.
package protocol FieldNumber: FieldValue {
  static var scalar: SchemaScalar { get }

  /// The numbers of the vector in `slot`; nil when the writer left it out.
  static func vector(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) -> [Self]?

  /// Numbers as they are written.
  static func written(_ values: [Self]) -> FlatField
}

extension FieldNumber {
  package static var kind: SchemaKind { .scalar(scalar) }
}

extension FieldNumber where Self: FixedWidthInteger {
  package mutating func read(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) { self = try table.scalar(slot, default: self) }
  package var written: FlatField { .int(self) }
  package static func written(_ values: [Self]) -> FlatField { .ints(values) }
}

extension Int8: FieldNumber {
  package static var scalar: SchemaScalar { .int8 }
  package static func vector(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) -> [Int8]? { try table.bytes(slot)?.map { Int8(bitPattern: $0) } }
}

extension Int32: FieldNumber {
  package static var scalar: SchemaScalar { .int32 }
  package static func vector(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) -> [Int32]? { try table.int32s(slot) }
}

extension UInt32: FieldNumber {
  package static var scalar: SchemaScalar { .uint32 }
  package static func vector(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) -> [UInt32]? { try table.uint32s(slot) }
}

extension Int64: FieldNumber {
  package static var scalar: SchemaScalar { .int64 }
  package static func vector(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) -> [Int64]? { try table.int64s(slot) }
}

extension UInt8: FieldNumber {
  package static var scalar: SchemaScalar { .uint8 }
  package static func vector(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) -> [UInt8]? { try table.bytes(slot) }
}

extension Float: FieldNumber {
  package static var scalar: SchemaScalar { .float32 }
  package mutating func read(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) { self = try table.float(slot, default: self) }
  package static func vector(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) -> [Float]? { try table.floats(slot) }
  package var written: FlatField { .float(self) }
  package static func written(_ values: [Float]) -> FlatField { .floats(values) }
}

extension Bool: FieldNumber {
  package static var scalar: SchemaScalar { .bool }
  package mutating func read(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) { self = try table.bool(slot, default: self) }
  package static func vector(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) -> [Bool]? { try table.bools(slot) }
  package var written: FlatField { .bool(self) }
  package static func written(_ values: [Bool]) -> FlatField { .bools(values) }
}

/// An enumeration of the schema.
///
/// A number that it does not define is an error that names the field.
package protocol SchemaNamed: RawRepresentable, FieldNumber
where RawValue: FixedWidthInteger & FieldNumber {
  static var schema: SchemaEnumeration { get }
}

extension SchemaNamed {
  package static var scalar: SchemaScalar { .name(schema) }
  package mutating func read(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) { self = try table.enumeration(slot, default: self, field: name) }

  package static func vector(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) -> [Self]? {
    var values: [Self] = []
    for number in try RawValue.vector(slot, of: table, name) ?? [] {
      guard let value = Self(rawValue: number) else {
        throw FlatBufferError(.unknownValue(field: name, value: Int(number)), at: table.position)
      }
      values.append(value)
    }
    return values
  }

  package var written: FlatField { .int(rawValue) }
  package static func written(_ values: [Self]) -> FlatField { .ints(values.map { $0.rawValue }) }
}

extension String: FieldValue {
  package static var kind: SchemaKind { .string }
  package mutating func read(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) { self = try table.string(slot) ?? self }
  package var written: FlatField { .string(self) }
}

extension Array: FieldValue where Element: FieldNumber {
  package static var kind: SchemaKind {
    .vector(Element.scalar, alignment: Element.scalar.byteCount)
  }
  package mutating func read(
    _ slot: Int, of table: Table, _ name: String
  ) throws(FlatBufferError) { self = try Element.vector(slot, of: table, name) ?? self }
  package var written: FlatField { Element.written(self) }
}
