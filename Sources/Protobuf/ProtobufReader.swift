// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a message.
package enum ProtobufDefect: String, Hashable, Sendable {
  /// A field goes beyond the end of what contains it.
  case cutOff = "a field is cut off"
  /// A field has another wire type than it should, or one that does not exist.
  case wrongWireType = "a field has a wrong wire type"
}

/// An error that can say what is wrong with a message, and at which byte.
package protocol ProtobufFailure: Error {
  /// The error for a defect of the field that begins at a byte.
  static func malformed(_ defect: ProtobufDefect, offset: Int) -> Self
}

/// Reads the fields of a message in Protocol Buffers' wire format, one after the other.
///
/// Specification: protobuf.dev, "Encoding". Groups, which proto2 has given up, are refused.
package struct ProtobufReader<Failure: ProtobufFailure> {
  /// What a field holds.
  package enum Value {
    case varint(UInt64)
    case fixed32(UInt32)
    case fixed64
    /// Text, bytes, another message or packed numbers: their range.
    case bytes(Range<Int>)
  }

  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  /// A reader of the message in `range`.
  package init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next field: its number, what it holds and where it begins; nil at the end.
  package mutating func next() throws(Failure) -> (field: UInt64, value: Value, offset: Int)? {
    guard position < end else { return nil }
    let offset = position
    let tag = try varint()
    guard tag >> 3 != 0 else { throw .malformed(.wrongWireType, offset: offset) }
    switch tag & 7 {
    case 0: return (tag >> 3, .varint(try varint()), offset)
    case 1:
      _ = try take(8)
      return (tag >> 3, .fixed64, offset)
    case 2:
      let count = try varint()
      guard count <= UInt64(end - position) else { throw .malformed(.cutOff, offset: offset) }
      return (tag >> 3, .bytes(try take(Int(count))), offset)
    case 5:
      let value = bytes[try take(4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return (tag >> 3, .fixed32(value), offset)
    default: throw .malformed(.wrongWireType, offset: offset)
    }
  }

  private mutating func take(_ count: Int) throws(Failure) -> Range<Int> {
    guard count <= end - position else { throw .malformed(.cutOff, offset: position) }
    defer { position += count }
    return position..<(position + count)
  }

  private mutating func varint() throws(Failure) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<10 {
      guard position < end else { throw .malformed(.cutOff, offset: position) }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte < 0x80 { return value }
    }
    throw .malformed(.cutOff, offset: position)
  }
}

extension ProtobufReader.Value {
  /// The range of text or a message.
  package func range(at offset: Int) throws(Failure) -> Range<Int> {
    guard case .bytes(let range) = self else {
      throw .malformed(.wrongWireType, offset: offset)
    }
    return range
  }

  /// A number of 32 bits, of which longer ones keep the lower bits.
  package func int32(at offset: Int) throws(Failure) -> Int {
    guard case .varint(let value) = self else {
      throw .malformed(.wrongWireType, offset: offset)
    }
    return Int(Int32(truncatingIfNeeded: value))
  }

  /// A truth value.
  package func bool(at offset: Int) throws(Failure) -> Bool {
    guard case .varint(let value) = self else {
      throw .malformed(.wrongWireType, offset: offset)
    }
    return value != 0
  }

  /// A floating-point number.
  package func float(at offset: Int) throws(Failure) -> Float {
    guard case .fixed32(let value) = self else {
      throw .malformed(.wrongWireType, offset: offset)
    }
    return Float(bitPattern: value)
  }
}
