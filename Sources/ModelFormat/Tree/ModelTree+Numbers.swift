// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

extension ModelTree.Number {
  /// The number that `bits` stand for.
  init(_ scalar: SchemaScalar, bits: Int64) {
    switch scalar {
    case .int8, .uint8, .uint16, .int32, .uint32, .int64: self = .integer(bits)
    case .uint64: self = .unsigned(UInt64(bitPattern: bits))
    case .float32: self = .real(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .bool: self = .truth(bits != 0)
    case .name(let enumeration):
      self = enumeration.name(for: bits).map { .name($0) } ?? .integer(bits)
    }
  }

  /// The number in an array of little-endian ones.
  init(_ scalar: SchemaScalar, _ bytes: Span<UInt8>, at index: Int) throws(FlatBufferError) {
    let offset = index * scalar.byteCount
    let bits: Int64
    switch scalar {
    case .int8: bits = Int64(try bytes.integer(Int8.self, at: offset))
    case .uint8, .bool: bits = Int64(try bytes.integer(UInt8.self, at: offset))
    case .uint16: bits = Int64(try bytes.integer(UInt16.self, at: offset))
    case .int32: bits = Int64(try bytes.integer(Int32.self, at: offset))
    case .uint32, .float32: bits = Int64(try bytes.integer(UInt32.self, at: offset))
    case .int64, .uint64: bits = try bytes.integer(Int64.self, at: offset)
    case .name(let enumeration):
      bits =
        enumeration.byteCount == 1
        ? Int64(try bytes.integer(Int8.self, at: offset))
        : Int64(try bytes.integer(Int32.self, at: offset))
    }
    self.init(scalar, bits: bits)
  }
}

extension SchemaScalar {
  /// The schema's word.
  var text: String {
    switch self {
    case .int8: "byte"
    case .uint8: "ubyte"
    case .uint16: "ushort"
    case .int32: "int"
    case .uint32: "uint"
    case .int64: "long"
    case .uint64: "ulong"
    case .float32: "float"
    case .bool: "bool"
    case .name(let enumeration): enumeration.name
    }
  }
}

extension SchemaKind {
  /// What the field holds, in the schema's words.
  var text: String {
    switch self {
    case .scalar(let scalar), .index(_, let scalar): scalar.text
    case .string: "string"
    case .vector(let scalar, _): "[\(scalar.text)]"
    case .indices: "[int]"
    case .table(let table): table.name
    case .tables(let table): "[\(table.name)]"
    case .member(let union), .union(let union): union.name
    case .customOptions, .contents: "[ubyte]"
    }
  }
}

extension FlexValue {
  /// The value on one line, much as JSON has it; nil for a single value, which any bytes may be.
  var text: String? {
    switch self {
    case .map, .vector: line
    case .null, .int, .uint, .float, .bool, .string, .key, .blob: nil
    }
  }

  private var line: String {
    switch self {
    case .null: "null"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .float(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let value), .key(let value): "\"\(value.printable)\""
    case .blob(let bytes): "\(bytes.count) bytes"
    case .vector(let values): "[\(values.map(\.line).joined(separator: ", "))]"
    case .map(let entries):
      "{\(entries.map { "\($0.key.printable): \($0.value.line)" }.joined(separator: ", "))}"
    }
  }
}
