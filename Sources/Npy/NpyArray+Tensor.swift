// SPDX-License-Identifier: Apache-2.0

public import Tensors

extension NpyArray {
  /// The values of a tensor, by the conventions that NumPy's missing types ask for: bfloat16 as
  /// bit patterns, types below a byte widened, strings filled up with NUL.
  ///
  /// - Parameters:
  ///   - type: the tensor's element type and shape.
  ///   - tensorBytes: its values as the engine stores them.
  /// - Throws: `NpyError` where the type has no npy form or the bytes do not fit the type.
  public init(_ type: TensorType, tensorBytes: [UInt8]) throws(NpyError) {
    let count = type.shape.elementCount
    switch type.elementType {
    case .string:
      let strings = try NpyError.translating { () throws(StringTensor.Malformed) in
        try StringTensor.strings(in: tensorBytes)
      }
      let length = max(strings.map(\.count).max() ?? 0, 1)
      var bytes: [UInt8] = []
      for string in strings {
        bytes += string
        bytes += Array(repeating: 0, count: length - string.count)
      }
      try self.init(.string(byteCount: length), type.shape, bytes: bytes)
    case .int4:
      try self.init(.int8, type.shape, bytes: Self.widened(tensorBytes, count, bits: 4, true))
    case .int2:
      try self.init(.int8, type.shape, bytes: Self.widened(tensorBytes, count, bits: 2, true))
    case .uint4:
      try self.init(.uint8, type.shape, bytes: Self.widened(tensorBytes, count, bits: 4, false))
    case .bool:
      try self.init(.bool, type.shape, bytes: tensorBytes.map { $0 == 0 ? 0 : 1 })
    case let other:
      guard let elementType = NpyElementType(other) else {
        throw NpyError("\(other.schemaName) has no npy form")
      }
      try self.init(elementType, type.shape, bytes: tensorBytes)
    }
  }

  /// The values as the engine stores a tensor of `tensorType`.
  ///
  /// - Throws: `NpyError` where the array's type is not the one that stands for `tensorType`,
  ///   or a value does not fit.
  public func tensorBytes(as tensorType: ElementType) throws(NpyError) -> [UInt8] {
    if tensorType == .string, case .string(let length) = elementType {
      let strings = strings(length: length)
      return try NpyError.translating { () throws(StringTensor.Malformed) in
        try StringTensor.bytes(of: strings)
      }
    }
    guard let wanted = NpyElementType(tensorType), wanted == elementType else {
      throw NpyError("type \(elementType) for a tensor of \(tensorType.schemaName)")
    }
    switch tensorType {
    case .int4: return try narrowed(bits: 4, -8...7, tensorType)
    case .int2: return try narrowed(bits: 2, -2...1, tensorType)
    case .uint4: return try narrowed(bits: 4, 0...15, tensorType)
    case .bool: return bytes.map { $0 == 0 ? 0 : 1 }
    case _: return bytes
    }
  }

  /// The strings of a `|S<n>` array without the NULs that fill them up.
  package func strings(length: Int) -> [[UInt8]] {
    (0..<shape.elementCount).map { position in
      let string = bytes[position * length..<(position + 1) * length]
      let end = string.lastIndex { $0 != 0 }.map { $0 + 1 } ?? string.startIndex
      return Array(string[string.startIndex..<end])
    }
  }

  /// Elements of `bits` bits, packed low bits first, as a byte each.
  private static func widened(
    _ packed: [UInt8], _ count: Int, bits: Int, _ isSigned: Bool
  ) throws(NpyError) -> [UInt8] {
    let perByte = 8 / bits
    guard packed.count * perByte >= count else {
      throw NpyError("\(packed.count) bytes for \(count) elements of \(bits) bits")
    }
    let mask = UInt8(1 << bits) - 1
    let sign = UInt8(1 << (bits - 1))
    return (0..<count).map { position in
      let value = packed[position / perByte] >> UInt8(position % perByte * bits) & mask
      return isSigned && value & sign != 0 ? value | ~mask : value
    }
  }

  private func narrowed(
    bits: Int, _ range: ClosedRange<Int>, _ tensorType: ElementType
  ) throws(NpyError) -> [UInt8] {
    let perByte = 8 / bits
    var packed = [UInt8](repeating: 0, count: (bytes.count + perByte - 1) / perByte)
    for (position, byte) in bytes.enumerated() {
      let value = range.lowerBound < 0 ? Int(Int8(bitPattern: byte)) : Int(byte)
      guard range.contains(value) else {
        throw NpyError("element \(position) is \(value), beyond \(tensorType.schemaName)")
      }
      let code = byte & (UInt8(1 << bits) - 1)
      packed[position / perByte] |= code << UInt8(position % perByte * bits)
    }
    return packed
  }
}

extension NpyError {
  /// What `body` gives, or its complaint about a string tensor as an error of this type.
  package static func translating<Result>(
    _ body: () throws(StringTensor.Malformed) -> Result
  ) throws(NpyError) -> Result {
    do throws(StringTensor.Malformed) { return try body() } catch {
      throw NpyError(error.description)
    }
  }
}
