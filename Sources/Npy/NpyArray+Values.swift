// SPDX-License-Identifier: Apache-2.0

public import Tensors

extension NpyArray {
  /// An array of these values in row-major order.
  ///
  /// - Throws: `NpyError` where the number of values is not the shape's, or the values are of a
  ///   type that npy files lack.
  public init<Element: TensorElement>(
    _ values: [Element], shape: Shape? = nil
  ) throws(NpyError) {
    guard let elementType = NpyElementType(Element.elementType) else {
      throw NpyError("\(Element.elementType.schemaName) has no npy form")
    }
    let row: Shape
    do throws(ShapeError) { row = try Shape([values.count]) } catch {
      throw NpyError(error.description)
    }
    let stored = TensorBytes(copying: values)
    let span = stored.span(as: UInt8.self)
    try self.init(elementType, shape ?? row, bytes: span.indices.map { span[$0] })
  }

  /// The values in row-major order; nil where they are not of type `Element`.
  ///
  /// `BFloat16` reads the bit patterns of a `uint16` array.
  public func values<Element: TensorElement>(as type: Element.Type) -> [Element]? {
    guard NpyElementType(Element.elementType) == elementType else { return nil }
    return reinterpreted(as: type)
  }

  /// The bytes as values of a type of the same size.
  private func reinterpreted<Element: TensorElement>(as type: Element.Type) -> [Element] {
    let stored = TensorBytes(copying: bytes)
    let span = stored.span(as: type)
    return span.indices.map { span[$0] }
  }

  /// Integers and truth values; unsigned 64-bit ones as their bit patterns.
  package func integers() -> [Int64] {
    switch elementType {
    case .bool, .uint8: bytes.map(Int64.init)
    case .int8: bytes.map { Int64(Int8(bitPattern: $0)) }
    case .int16: reinterpreted(as: Int16.self).map(Int64.init)
    case .uint16: reinterpreted(as: UInt16.self).map(Int64.init)
    case .int32: reinterpreted(as: Int32.self).map(Int64.init)
    case .uint32: reinterpreted(as: UInt32.self).map(Int64.init)
    case .int64: reinterpreted(as: Int64.self)
    case .uint64: reinterpreted(as: UInt64.self).map { Int64(bitPattern: $0) }
    case .float16, .float32, .float64, .complex64, .complex128, .string: []
    }
  }

  /// Floating-point values; complex ones as their parts, real first.
  package func numbers() -> [Double] {
    switch elementType {
    case .float16: reinterpreted(as: Float16.self).map(Double.init)
    case .float32, .complex64: reinterpreted(as: Float.self).map(Double.init)
    case .float64, .complex128: reinterpreted(as: Double.self)
    case .bool, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64, .string: []
    }
  }
}
