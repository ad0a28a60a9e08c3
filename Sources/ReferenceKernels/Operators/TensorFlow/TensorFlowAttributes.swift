// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Protobuf
import Tensors

/// The attributes of a TensorFlow operator that a model calls, one whose name begins with `Flex`.
///
/// Such a node's options are a FlexBuffer of two elements: the operator's name, and TensorFlow's
/// message `NodeDef`, whose field 5 is a map from names to messages `AttrValue`. Only attributes
/// that are numbers, truth values and types are kept. TFLite: `delegates/flex`; TensorFlow:
/// `node_def.proto`, `attr_value.proto`, `types.proto`.
struct TensorFlowAttributes {
  /// Fields of `AttrValue`.
  private enum Field {
    static let integer: UInt64 = 3
    static let flag: UInt64 = 5
    static let type: UInt64 = 6
  }

  /// The field `attr` of `NodeDef`.
  private static let attributes: UInt64 = 5

  private var values: [String: (field: UInt64, bits: UInt64)] = [:]

  /// The attributes of `node`.
  ///
  /// - Throws: `KernelError` where the options are malformed.
  init(_ node: NodeDescription) throws(KernelError) {
    let message: [UInt8]
    switch try node.flexOptions()[1] {
    case .blob(let bytes): message = bytes
    case .string(let text): message = Array(text.utf8)
    default: throw .invalid("malformed options: no definition of a TensorFlow node")
    }
    do throws(MalformedDefinition) {
      try read(message)
    } catch {
      throw .invalid(
        "malformed options: \(error.defect.rawValue) in the node's definition, at byte "
          + "\(error.offset)")
    }
  }

  private mutating func read(_ message: [UInt8]) throws(MalformedDefinition) {
    var fields = ProtobufReader<MalformedDefinition>(message, message.indices)
    while let (field, value, offset) = try fields.next() {
      guard field == Self.attributes else { continue }
      var entry = ProtobufReader<MalformedDefinition>(message, try value.range(at: offset))
      var (name, attribute) = ("", 0..<0)
      while let (field, value, offset) = try entry.next() {
        switch field {
        case 1: name = String(decoding: message[try value.range(at: offset)], as: UTF8.self)
        case 2: attribute = try value.range(at: offset)
        default: continue
        }
      }
      var kinds = ProtobufReader<MalformedDefinition>(message, attribute)
      while let (field, value, _) = try kinds.next() {
        if case .varint(let bits) = value { values[name] = (field, bits) }
      }
    }
  }

  /// The attribute `name`, a number; nil where the node does not have it.
  func integer(_ name: String) -> Int? {
    guard let value = values[name], value.field == Field.integer else { return nil }
    return Int(truncatingIfNeeded: value.bits)
  }

  /// The attribute `name`, a truth value; false where the node does not have it.
  func flag(_ name: String) -> Bool {
    guard let value = values[name], value.field == Field.flag else { return false }
    return value.bits != 0
  }

  /// The attribute `name`, an element type.
  ///
  /// - Throws: `KernelError` where the node does not have it, and for types that tensors of TFLite
  ///   cannot have.
  func elementType(_ name: String) throws(KernelError) -> ElementType {
    guard let value = values[name], value.field == Field.type else {
      throw .invalid("attribute \(name) is missing")
    }
    guard let number = Int(exactly: value.bits), Self.elementTypes.indices.contains(number),
      let type = Self.elementTypes[number]
    else { throw .unsupported("attribute \(name) is type \(value.bits) of TensorFlow") }
    return type
  }

  /// TensorFlow's `DataType`, by number; quantized types have no equal.
  private static let elementTypes: [ElementType?] = [
    nil, .float32, .float64, .int32, .uint8, .int16, .int8, .string, .complex64, .int64, .bool,
    nil, nil, nil, .bfloat16, nil, nil, .uint16, .complex128, .float16, .resource, .variant,
    .uint32, .uint64,
  ]
}

/// A `NodeDef` that cannot be read.
private struct MalformedDefinition: ProtobufFailure {
  let defect: ProtobufDefect
  let offset: Int

  static func malformed(_ defect: ProtobufDefect, offset: Int) -> MalformedDefinition {
    MalformedDefinition(defect: defect, offset: offset)
  }
}
