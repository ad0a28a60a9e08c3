// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors
import Testing

/// A tensor of a test of text operators, with its values.
struct TextTensor: Equatable {
  let shape: Shape
  let type: ElementType
  /// The values as a tensor holds them.
  let bytes: [UInt8]

  init<Element: TensorElement>(_ shape: Shape, _ values: [Element]) {
    (self.shape, type) = (shape, Element.elementType)
    bytes = TensorBytes(copying: values).array()
  }

  init(_ shape: Shape, _ strings: [String]) throws {
    try self.init(shape, strings.map { Array($0.utf8) })
  }

  init(_ shape: Shape, _ strings: [[UInt8]]) throws {
    (self.shape, type) = (shape, .string)
    bytes = try StringTensor.bytes(of: strings)
  }

  fileprivate init(_ type: TensorType, _ bytes: TensorBytes) {
    (shape, self.type) = (type.shape, type.elementType)
    self.bytes = bytes.array()
  }

  /// The numbers of the tensor.
  func values<Element: TensorElement>(_ type: Element.Type = Element.self) -> [Element] {
    precondition(self.type == Element.elementType, "the tensor is \(self.type)")
    let copy = TensorBytes(copying: bytes)
    let span = copy.span(as: Element.self)
    return span.indices.map { span[$0] }
  }

  /// The strings of the tensor.
  func strings() throws -> [String] {
    try StringTensor.strings(in: bytes).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Prepares and evaluates one node of a text operator, its inputs known.
func text(
  _ name: String, options: [UInt8] = [], _ inputs: [TextTensor], outputs: [ElementType]
) throws -> [TextTensor] {
  let make = try #require(OperatorCatalog.customByName[name]).make
  let operands = inputs.map { (TensorType($0.type, $0.shape), TensorBytes(copying: $0.bytes)) }
  let node = PrepareContext(
    inputs: operands.map { PrepareContext.Operand($0.0, bytes: $0.1) },
    declaredOutputs: outputs.map { TensorType($0, []) })
  let prepared = try make(NodeDescription(customOptions: options)).prepare(node)
  let results = try prepared.outputs.enumerated().map { position, type in
    let sizes = prepared.outputByteCounts
    return TensorBytes(
      zeroed: try #require(type.byteCount ?? (sizes.isEmpty ? nil : sizes[position])))
  }
  try prepared.kernel.evaluate(TensorFrame(inputs: operands.map(\.1), outputs: results))
  return zip(prepared.outputs, results).map { TextTensor($0, $1) }
}

/// What a test writes into the options of a custom operator.
enum TextOption {
  case int(Int64)
  case bool(Bool)
  case string(String)
  case ints([Int64])
  case keys([String])
}

/// A FlexBuffer that holds a map, every number in it 8 bytes wide.
func textOptions(_ entries: [String: TextOption]) -> [UInt8] {
  var bytes: [UInt8] = []
  func append(_ value: UInt64) {
    for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))) }
  }
  func place(_ text: String) -> Int {
    defer { bytes += Array(text.utf8) + [0] }
    return bytes.count
  }
  let sorted = entries.sorted { $0.key < $1.key }
  let keys = sorted.map { place($0.key) }
  // Where a value lies, for those that are referred to.
  var targets: [Int] = []
  for (_, value) in sorted {
    var names: [Int] = []
    if case .keys(let texts) = value { names = texts.map(place) }
    while bytes.count % 8 != 0 { bytes.append(0) }
    switch value {
    case .int, .bool: targets.append(0)
    case .string(let text):
      append(UInt64(text.utf8.count))
      targets.append(place(text))
    case .ints(let numbers):
      append(UInt64(numbers.count))
      targets.append(bytes.count)
      for number in numbers { append(UInt64(bitPattern: number)) }
    case .keys:
      append(UInt64(names.count))
      targets.append(bytes.count)
      for name in names { append(UInt64(bytes.count - name)) }
    }
  }
  while bytes.count % 8 != 0 { bytes.append(0) }
  append(UInt64(keys.count))
  let keyVector = bytes.count
  for key in keys { append(UInt64(bytes.count - key)) }
  append(UInt64(bytes.count - keyVector))
  append(8)
  append(UInt64(keys.count))
  let map = bytes.count
  for (index, entry) in sorted.enumerated() {
    switch entry.value {
    case .int(let number): append(UInt64(bitPattern: number))
    case .bool(let isTrue): append(isTrue ? 1 : 0)
    case .string, .ints, .keys: append(UInt64(bytes.count - targets[index]))
    }
  }
  for (_, value) in sorted {
    switch value {
    case .int: bytes.append(1 << 2 | 3)
    case .bool: bytes.append(26 << 2 | 3)
    case .string: bytes.append(5 << 2 | 3)
    case .ints: bytes.append(11 << 2 | 3)
    case .keys: bytes.append(14 << 2 | 3)
    }
  }
  while bytes.count % 8 != 0 { bytes.append(0) }
  append(UInt64(bytes.count - map))
  return bytes + [9 << 2 | 3, 8]
}
