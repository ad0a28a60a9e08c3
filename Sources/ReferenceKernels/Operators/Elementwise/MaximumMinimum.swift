// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  private static let extremumVariants = "f32 i32 i64 i8 u8 i16 f16 bf16 i8_q u8_q i16_q"

  static let maximum = CatalogEntry(
    .maximum, chapter: .elementwise, formula: "y = a if a > b, else b", versions: .upTo(4),
    variants: extremumVariants, optimized: "f32 i8 i8_q u8 u8_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    MaximumMinimum(Greater.self)
  }

  static let minimum = CatalogEntry(
    .minimum, chapter: .elementwise, formula: "y = a if a < b, else b", versions: .upTo(4),
    variants: extremumVariants, optimized: "f32 i8 i8_q u8 u8_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    MaximumMinimum(Less.self)
  }
}

/// `MAXIMUM` and `MINIMUM`: the larger or smaller of two elements, broadcast to each other.
///
/// So the second operand wins where one is NaN and where zeros differ in sign. Quantized values are
/// compared as they are: TFLite assumes equal quantization of all three tensors.
/// TFLite: `maximum_minimum.cc`.
///
/// The operator itself is not generic, so that its loops are compiled for the relation.
struct MaximumMinimum: Operator {
  private let body: @Sendable (PrepareContext) throws(KernelError) -> Prepared

  /// The operator that takes the first operand where `relation` holds.
  init<Relation: OrderRelation>(_ relation: Relation.Type) {
    body = { node throws(KernelError) in
      try BinaryNode(node).preparedExtremum(relation)
    }
  }

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared { try body(node) }
}

extension BinaryNode {
  fileprivate func preparedExtremum<Relation: OrderRelation>(
    _ relation: Relation.Type
  ) throws(KernelError) -> Prepared {
    switch left.elementType {
    case .float32: return prepared(Extremum<Relation, Float>())
    case .float16: return prepared(Extremum<Relation, Float16>())
    case .bfloat16: return prepared(BFloatExtremum<Relation>())
    case .int8: return prepared(Extremum<Relation, Int8>())
    case .uint8: return prepared(Extremum<Relation, UInt8>())
    case .int16: return prepared(Extremum<Relation, Int16>())
    case .int32: return prepared(Extremum<Relation, Int32>())
    case .int64: return prepared(Extremum<Relation, Int64>())
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// The first operand where a relation holds, else the second.
package struct Extremum<Relation, Element>: BinaryArithmetic
where Relation: OrderRelation, Element: TensorElement & Comparable {
  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    Relation.holds(left, right) ? left : right
  }
}

/// The first bfloat16 operand where a relation holds, else the second.
package struct BFloatExtremum<Relation: OrderRelation>: BinaryArithmetic {
  @inline(__always)
  package func apply(_ left: BFloat16, _ right: BFloat16, _ steps: inout some Steps) -> BFloat16 {
    Relation.holds(left.float, right.float) ? left : right
  }
}
