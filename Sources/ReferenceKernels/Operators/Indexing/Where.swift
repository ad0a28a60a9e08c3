// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

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
    _ node: PrepareContext, isTrue: @escaping @Sendable (Element) -> Bool
  ) throws(KernelError) -> Prepared {
    let shape = try node.input(0).shape
    let count = try node.values(0, as: Element.self).count(where: isTrue)
    let output = TensorType(
      .int64, try Shape.checked([count, shape.rank]),
      quantization: try node.declaredOutput().quantization)
    return Prepared(output, LoopKernel(WhereLoop(shape: shape, isTrue: isTrue)))
  }
}

/// The loop of `WHERE`.
package struct WhereLoop<Element: TensorElement>: SteppedLoop {
  /// The input's shape.
  let shape: Shape
  /// Whether an element counts.
  let isTrue: @Sendable (Element) -> Bool

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Element.self)
    var output = frame.output(0, as: Int64.self)
    var coordinates = [Int](repeating: 0, count: shape.rank)
    var (row, target) = (0, 0)
    for index in input.indices {
      if isTrue(input[index]) {
        steps.about(target..<target + shape.rank)
        steps.read(input, index)
        steps.note("row", "elements before it that are not zero", row)
        for axis in coordinates.indices {
          steps.about(target)
          output[target] = steps.note(
            "coordinate", "of that element along axis \(axis)", Int64(coordinates[axis]))
          target += 1
        }
        row += 1
      }
      advance(&coordinates)
    }
  }

  /// Moves on to the next element's coordinates.
  @inline(__always)
  private func advance(_ coordinates: inout [Int]) {
    var axis = coordinates.count - 1
    while axis >= 0 {
      coordinates[axis] += 1
      guard coordinates[axis] == shape[axis] else { return }
      coordinates[axis] = 0
      axis -= 1
    }
  }
}
