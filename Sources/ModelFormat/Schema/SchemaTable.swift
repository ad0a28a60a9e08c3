// SPDX-License-Identifier: Apache-2.0

/// A table of the schema of `.tflite` files: its name, and its fields by slot.
///
/// What other parts of this module decode by hand is described here as data, for whoever visits or
/// copies tables without knowing them. Schema:
/// <https://github.com/google-ai-edge/LiteRT/blob/main/tflite/converter/schema/schema.fbs>.
package struct SchemaTable: Sendable {
  /// The schema's name, such as `Conv2DOptions`.
  package let name: String
  /// The fields; a field's slot is its index.
  package let fields: [SchemaField]

  /// A table with these fields, in the order of their slots.
  init(_ name: String, _ fields: KeyValuePairs<String, SchemaKind> = [:]) {
    self.name = name
    self.fields = fields.map { SchemaField(name: $0, kind: $1) }
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

  /// The table of member `code`; nil for none and for unknown members.
  package func member(_ code: UInt8) -> SchemaTable? {
    code >= 1 && code <= members.count ? members[Int(code) - 1] : nil
  }
}

extension SchemaKind {
  static let int32 = SchemaKind.scalar(.int32)
  static let uint32 = SchemaKind.scalar(.uint32)
  static let int64 = SchemaKind.scalar(.int64)
  static let uint64 = SchemaKind.scalar(.uint64)
  static let float32 = SchemaKind.scalar(.float32)
  static let bool = SchemaKind.scalar(.bool)
  static let bytes = SchemaKind.vector(.uint8, alignment: 1)
  static let bools = SchemaKind.vector(.bool, alignment: 1)
  static let int32s = SchemaKind.vector(.int32, alignment: 4)
  static let int64s = SchemaKind.vector(.int64, alignment: 8)
  static let float32s = SchemaKind.vector(.float32, alignment: 4)
  static let subgraph = SchemaKind.index(.subgraph, .int32)
  static let padding = SchemaKind.scalar(.name(.padding))
  static let activation = SchemaKind.scalar(.name(.activation))
  static let tensorType = SchemaKind.scalar(.name(.tensorType))
}
