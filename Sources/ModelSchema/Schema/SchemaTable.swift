// SPDX-License-Identifier: Apache-2.0

/// A table of the schema of `.tflite` files: its name, and its fields by slot.
///
/// What other parts of this module decode is described here as data, for whoever visits or copies
/// tables without knowing them; `model.fbs` is the source of both.
package struct SchemaTable: Sendable {
  /// The schema's name, such as `Conv2DOptions`.
  package let name: String
  /// The fields; a field's slot is its index.
  package let fields: [SchemaField]

  /// A table with these fields, in the order of their slots.
  package init(_ name: String, _ fields: KeyValuePairs<String, SchemaKind>) {
    self.init(name, fields.map { SchemaField(name: $0, kind: $1) })
  }

  /// A table with these fields, in the order of their slots.
  package init(_ name: String, _ fields: [SchemaField]) {
    self.name = name
    self.fields = fields
  }
}

/// A field of a table.
package struct SchemaField: Sendable {
  /// The schema's name.
  package let name: String
  /// What it holds.
  package let kind: SchemaKind
}

/// What a field holds.
package indirect enum SchemaKind: Sendable {
  /// A number, stored in the table itself.
  case scalar(SchemaScalar)
  /// A number that counts from 0 among other parts of the model.
  case index(SchemaReference, SchemaScalar)
  /// A text.
  case string
  /// Numbers, the first of which lies at a multiple of `alignment` bytes.
  case vector(SchemaScalar, alignment: Int)
  /// 32-bit numbers that count from 0 among other parts of the model.
  case indices(SchemaReference)
  /// A table.
  case table(SchemaTable)
  /// Tables.
  case tables(SchemaTable)
  /// Which table the union in the next slot holds.
  case member(SchemaUnion)
  /// A table of the kind that the slot before says.
  case union(SchemaUnion)
  /// Bytes that are options of a custom operator, most often a FlexBuffer.
  case customOptions
  /// Bytes that are the values of a tensor, or anything else that a buffer holds.
  case contents
}

/// A number as it is stored, and what it stands for.
package enum SchemaScalar: Sendable {
  case int8, uint8, uint16, int32, uint32, int64, uint64, float32, bool
  /// One of several names.
  case name(SchemaEnumeration)

  /// The bytes of one number.
  package var byteCount: Int {
    switch self {
    case .int8, .uint8, .bool: 1
    case .uint16: 2
    case .int32, .uint32, .float32: 4
    case .int64, .uint64: 8
    case .name(let enumeration): enumeration.byteCount
    }
  }
}

/// What an index counts.
package enum SchemaReference: Sendable, Hashable {
  /// The model's operator codes.
  case operatorCode
  /// The model's subgraphs; -1 for none.
  case subgraph
  /// The model's buffers; 0 for none.
  case buffer
  /// The tensors of the subgraph that the index stands in; -1 for none.
  case tensor
  /// The tensors of the subgraph that a signature names.
  case signatureTensor
  /// The model's external buffers; 0 for none.
  case externalBuffer
  /// The model's groups of external buffers.
  case externalGroup
  /// The debugging metadata; -1 for none.
  case debugMetadata
}

/// A union of tables; member 0 is none.
package struct SchemaUnion: Sendable {
  /// The schema's name.
  package let name: String
  /// The tables of the members from 1 on.
  package let members: [SchemaTable]

  /// A union of these tables.
  package init(_ name: String, _ members: [SchemaTable]) {
    self.name = name
    self.members = members
  }

  /// The table of member `code`; nil for none and for unknown members.
  package func member(_ code: UInt8) -> SchemaTable? {
    code >= 1 && code <= members.count ? members[Int(code) - 1] : nil
  }
}
