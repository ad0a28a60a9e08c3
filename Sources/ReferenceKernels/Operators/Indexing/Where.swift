// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

extension CatalogEntry {
  /// `WHERE`.
  static let `where` = CatalogEntry(
    .where, chapter: .indexing, formula: "y = all i… with x[i…] ≠ 0, in order", versions: .upTo(2),
    variants: "bool f32 i32 i64 i8 u8 u32", optimized: "",
    work: .eachInput, reads: .everything
  ) { _ throws(KernelError) in Where() }
}

/// `WHERE`: the coordinates of the elements that are not zero, one row of int64 for each.
///
/// NaN is not zero. How many rows there are depends on the values, so they must be known.
/// TFLite: `where.cc`.
struct Where: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    guard input.shape.rank > 0 else { throw .rank(0, wanted: "at least 1", .input(0)) }
    switch input.elementType {
    case .bool: return try prepared(node) { (condition: BoolByte) in condition.value }
    case .float32: return try prepared(node) { (number: Float) in number != 0 }
    case .int8: return try prepared(node) { (number: Int8) in number != 0 }
    case .uint8: return try prepared(node) { (number: UInt8) in number != 0 }
    case .int32: return try prepared(node) { (number: Int32) in number != 0 }
    case .uint32: return try prepared(node) { (number: UInt32) in number != 0 }
    case .int64: return try prepared(node) { (number: Int64) in number != 0 }
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func prepared<Element: TensorElement>(
    _ node: PrepareContext, isTrue: (Element) -> Bool
  ) throws(KernelError) -> Prepared {
    let shape = try node.input(0).shape
    let values = try node.values(0, as: Element.self)
    let places = values.indices.filter { isTrue(values[$0]) }
    let strides = shape.strides
    let coordinates = places.flatMap { place in
      strides.indices.map { axis in Int64(place / strides[axis] % max(shape[axis], 1)) }
    }
    let output = TensorType(
      .int64, try Shape.checked([places.count, shape.rank]),
      quantization: try node.declaredOutput().quantization)
    return Prepared(output, ConstantKernel(coordinates))
  }
}
