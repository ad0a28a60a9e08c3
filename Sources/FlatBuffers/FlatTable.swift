// SPDX-License-Identifier: Apache-2.0

/// A table to be written, by slot: what `Table` reads.
package struct FlatTable: Sendable {
  /// The fields that are written; the others keep the schema's defaults.
  package var fields: [Int: FlatField]

  /// A table of these fields.
  package init(_ fields: [Int: FlatField] = [:]) { self.fields = fields }

  /// The bytes of a FlatBuffer whose root is this table.
  package func serialized(identifier: String) -> [UInt8] {
    var writer = FlatBufferWriter()
    writer.writeRoot(self, identifier: identifier)
    return writer.bytes
  }

  /// The bytes of a FlatBuffer whose root is this table, to be put before the bytes of another.
  ///
  /// Their number is a multiple of `alignment`. What fields call `existing` or `inPlace` lies in
  /// the other, at a distance from its start; offsets can only point forwards. Nothing refers to
  /// `header`, which stands behind the identifier.
  ///
  /// - Throws: `FlatBufferError` where the other reaches further than offsets do.
  package func serialized(
    identifier: String, header: [UInt8], alignment: Int
  ) throws(FlatBufferError) -> [UInt8] {
    var writer = FlatBufferWriter()
    writer.writeRoot(self, identifier: identifier, header: header)
    try writer.finish(alignment: alignment)
    return writer.bytes
  }
}

/// The contents of a field to be written.
package enum FlatField: Sendable {
  /// A number or truth value, stored in the table itself.
  case scalar(UInt64, byteCount: Int)
  /// A text.
  case string(String)
  /// Numbers, already in little-endian order.
  case vector([UInt8], stride: Int, alignment: Int)
  /// Texts.
  case strings([String])
  /// A table, also the value of a union.
  case table(FlatTable)
  /// Tables.
  case tables([FlatTable])
  /// Tables, some of which are there already.
  case elements([FlatElement])
  /// A table, vector or text that is there already, in the bytes behind.
  case existing(Int)
  /// A field of any kind that stays where it is, in a table that lies in the bytes behind and ends
  /// at `end`: the virtual table leads to it.
  case inPlace(Int, end: Int)
}

/// A table of a vector.
package enum FlatElement: Sendable {
  /// A table that is written.
  case table(FlatTable)
  /// A table that is there already, in the bytes behind.
  case existing(Int)
}

extension FlatField {
  /// An integer of the width of its type.
  package static func int<Value: FixedWidthInteger>(_ value: Value) -> FlatField {
    .scalar(UInt64(truncatingIfNeeded: value), byteCount: Value.bitWidth / 8)
  }

  /// A single-precision number.
  package static func float(_ value: Float) -> FlatField { .int(value.bitPattern) }

  /// A truth value.
  package static func bool(_ value: Bool) -> FlatField { .int(value ? UInt8(1) : 0) }

  /// Integers of the width of their type.
  package static func ints<Value: FixedWidthInteger>(_ values: [Value]) -> FlatField {
    let stride = Value.bitWidth / 8
    let bytes = values.flatMap { value in
      (0..<stride).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return .vector(bytes, stride: stride, alignment: stride)
  }

  /// Single-precision numbers.
  package static func floats(_ values: [Float]) -> FlatField { .ints(values.map { $0.bitPattern }) }

  /// Truth values.
  package static func bools(_ values: [Bool]) -> FlatField {
    .ints(values.map { $0 ? UInt8(1) : 0 })
  }

  /// Bytes that start at a multiple of `alignment`.
  package static func bytes(_ values: [UInt8], alignment: Int = 1) -> FlatField {
    .vector(values, stride: 1, alignment: alignment)
  }
}
