// SPDX-License-Identifier: Apache-2.0

internal import ModelFormat
internal import ReferenceKernels
package import Tensors

/// One element of a tensor, or an intermediate result, as it is stored.
public enum StoredValue: Sendable, Equatable {
  /// An integer, a quantized value, or a truth value as 0 or 1.
  case integer(Int)
  /// An integer beyond the signed 64-bit range.
  case unsigned(UInt64)
  /// A 32-bit float, or a narrower one widened.
  case float(Float)
  /// A 64-bit float.
  case double(Double)
  /// Real and imaginary part.
  case complex(Double, Double)
  /// The bytes of a string.
  case string([UInt8])

  /// Whether the other value has the same bits; of floats that are not numbers, any two do.
  public func isIdentical(to other: StoredValue) -> Bool {
    switch (self, other) {
    case (.float(let a), .float(let b)): Self.isSame(Double(a), Double(b))
    case (.double(let a), .double(let b)): Self.isSame(a, b)
    case (.complex(let a, let b), .complex(let c, let d)): Self.isSame(a, c) && Self.isSame(b, d)
    case (_, _): self == other
    }
  }

  private static func isSame(_ a: Double, _ b: Double) -> Bool {
    a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
  }

  /// The value as an integer; nil for others, and for unsigned ones of 64 bits.
  var integer: Int? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The value as a number; nil for complex numbers and strings.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .complex, .string: nil
    }
  }
}

extension StoredValue {
  /// An integer of any width.
  package init(integer value: some FixedWidthInteger) {
    if let value = Int(exactly: value) {
      self = .integer(value)
    } else {
      self = .unsigned(UInt64(clamping: value))
    }
  }

  /// An element as kernels compute it.
  package init<Element: TensorElement>(_ element: Element) {
    self = StoredValue(Element.elementType, TensorBytes(copying: [element]), at: 0) ?? .string([])
  }

  /// The element at a flat index of a tensor; nil where there is none, and for handles.
  package init?(_ type: ElementType, _ bytes: TensorBytes, at index: Int) {
    func integer<Element: TensorElement & FixedWidthInteger>(_: Element.Type) -> StoredValue? {
      bytes.element(index, as: Element.self).map { StoredValue(integer: $0) }
    }
    func float<Element: FloatElement>(_: Element.Type) -> StoredValue? {
      bytes.element(index, as: Element.self).map { .float($0.widened) }
    }
    func complex<Part: TensorElement & BinaryFloatingPoint>(_: Part.Type) -> StoredValue? {
      bytes.element(index, as: Complex<Part>.self).map {
        .complex(Double($0.real), Double($0.imaginary))
      }
    }
    func packed<Codes: PackedElements>(_: Codes.Type) -> StoredValue? {
      let stored = bytes.span(as: UInt8.self)
      guard index >= 0, index / (8 / Codes.bitCount) < stored.count else { return nil }
      return .integer(Int(Codes.load(index, from: stored)))
    }
    let value: StoredValue? =
      switch type {
      case .float32: float(Float.self)
      case .float16: float(Float16.self)
      case .bfloat16: float(BFloat16.self)
      case .float64: bytes.element(index, as: Double.self).map { .double($0) }
      case .int8: integer(Int8.self)
      case .uint8: integer(UInt8.self)
      case .int16: integer(Int16.self)
      case .uint16: integer(UInt16.self)
      case .int32: integer(Int32.self)
      case .uint32: integer(UInt32.self)
      case .int64: integer(Int64.self)
      case .uint64: integer(UInt64.self)
      case .bool: bytes.element(index, as: BoolByte.self).map { .integer($0.value ? 1 : 0) }
      case .complex64: complex(Float.self)
      case .complex128: complex(Double.self)
      case .int4: packed(Int4Elements.self)
      case .uint4: packed(UInt4Elements.self)
      case .int2: packed(Int2Elements.self)
      case .string: Self.string(in: bytes, at: index)
      case .resource, .variant: nil
      }
    guard let value else { return nil }
    self = value
  }

  private static func string(in bytes: TensorBytes, at index: Int) -> StoredValue? {
    guard let strings = try? StringTensor.strings(in: bytes.array()),
      strings.indices.contains(index)
    else { return nil }
    return .string(strings[index])
  }
}

extension TensorBytes {
  /// The element at a flat index; nil where there is none.
  func element<Element: TensorElement>(_ index: Int, as type: Element.Type) -> Element? {
    let elements = span(as: type)
    return elements.indices.contains(index) ? elements[index] : nil
  }
}

extension TensorType {
  /// The real number that a stored value at `index` stands for.
  ///
  /// Quantized values without quantization parameters of their own stand for themselves.
  func real(_ stored: StoredValue, at index: [Int]) -> Double? {
    guard let number = stored.number else { return nil }
    guard let quantization, quantization.scaleCount > 0 else { return number }
    var channel = 0
    if quantization.isPerChannel {
      guard index.indices.contains(quantization.axis) else { return nil }
      channel = index[quantization.axis]
    }
    return quantization.slice(channel).map {
      Double($0.scale) * (number - Double($0.zeroPoint))
    }
  }
}

extension Shape {
  /// The index along each axis of the element at a flat index.
  package func index(ofFlat flat: Int) -> [Int] {
    var rest = flat
    var index = [Int](repeating: 0, count: rank)
    for axis in stride(from: rank - 1, through: 0, by: -1) where self[axis] > 0 {
      index[axis] = rest % self[axis]
      rest /= self[axis]
    }
    return index
  }

  /// The flat index of an element; nil where the shape has no such element.
  package func flat(_ index: [Int]) -> Int? {
    guard index.count == rank, zip(index, dimensions).allSatisfy({ 0..<$1 ~= $0 }) else {
      return nil
    }
    return zip(index, strides).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
