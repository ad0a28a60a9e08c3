// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  private static let orderVariants = "f32 i32 i64 i16 f16 u8_q i8_q i16_q"

  static let equal = CatalogEntry(
    .equal, chapter: .elementwise, formula: "y = true if a = b, else false", versions: .upTo(5),
    variants: "f32 i32 i64 bool i16 str f16 u8_q i8_q i16_q", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in Comparison(EqualTo.self) }

  static let notEqual = CatalogEntry(
    .notEqual, chapter: .elementwise, formula: "y = true if a ≠ b, else false", versions: .upTo(4),
    variants: "f32 i32 i64 bool str f16 u8_q i8_q i16_q", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in Comparison(NotEqualTo.self) }

  static let less = CatalogEntry(
    .less, chapter: .elementwise, formula: "y = true if a < b, else false", versions: .upTo(3),
    variants: orderVariants + " bf16", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in
    Comparison(Less.self)
  }

  static let lessEqual = CatalogEntry(
    .lessEqual, chapter: .elementwise, formula: "y = true if a ≤ b, else false",
    versions: .upTo(2),
    variants: orderVariants, optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in
    Comparison(LessOrEqual.self)
  }

  static let greater = CatalogEntry(
    .greater, chapter: .elementwise, formula: "y = true if a > b, else false", versions: .upTo(2),
    variants: orderVariants + " bf16", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in
    Comparison(Greater.self)
  }

  static let greaterEqual = CatalogEntry(
    .greaterEqual, chapter: .elementwise, formula: "y = true if a ≥ b, else false",
    versions: .upTo(3),
    variants: orderVariants, optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in
    Comparison(GreaterOrEqual.self)
  }
}

/// `EQUAL`, `NOT_EQUAL`, `LESS`, `LESS_EQUAL`, `GREATER` and `GREATER_EQUAL`: whether a relation
/// holds between the elements of two tensors, broadcast to each other.
///
/// 8-bit quantized values are brought to a common scale first, see `QuantizedComparison`; so are
/// quantized int16 ones for equality, but TFLite orders them as they are, whatever their scales.
/// Strings can only be equal or not, see `StringComparisonKernel`. TFLite: `comparisons.cc`,
/// `reference/comparisons.h`.
///
/// The operator itself is not generic, so that its loops are compiled for the relation.
struct Comparison: Operator {
  private let body: @Sendable (PrepareContext) throws(KernelError) -> Prepared

  init<Relation: OrderRelation>(_ relation: Relation.Type) {
    body = { node throws(KernelError) in
      try ComparisonFormats<Relation>(node: node, binary: BinaryNode(node)).prepared()
    }
  }

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared { try body(node) }
}

/// A relation in each number format.
private struct ComparisonFormats<Relation: OrderRelation> {
  let node: PrepareContext
  let binary: BinaryNode

  func prepared() throws(KernelError) -> Prepared {
    switch binary.left.elementType {
    case .float32: return binary.prepared(PlainComparison<Relation, Float>())
    case .float16: return binary.prepared(PlainComparison<Relation, Float16>())
    case .bfloat16 where !Relation.isEquality: return binary.prepared(BFloatComparison<Relation>())
    case .int32: return binary.prepared(PlainComparison<Relation, Int32>())
    case .int64: return binary.prepared(PlainComparison<Relation, Int64>())
    case .bool where Relation.isEquality: return binary.prepared(BoolComparison<Relation>())
    case .uint8: return binary.prepared(try quantized(as: UInt8.self))
    case .int8: return binary.prepared(try quantized(as: Int8.self))
    case .int16 where Relation.isEquality && binary.left.quantization != nil:
      return binary.prepared(try quantized(as: Int16.self))
    case .int16: return binary.prepared(PlainComparison<Relation, Int16>())
    case .string where Relation.isEquality:
      let kernel = try StringComparisonKernel(
        node, binary.broadcast, equalIs: Relation.holds(0, 0))
      return binary.prepared(kernel, as: .bool)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func quantized<Element: TensorElement & FixedWidthInteger>(
    as type: Element.Type
  ) throws(KernelError) -> QuantizedComparison<Relation, Element> {
    QuantizedComparison(
      left: try operand(binary.left, .input(0)), right: try operand(binary.right, .input(1)))
  }

  private func operand(
    _ type: TensorType, _ tensor: KernelError.Tensor
  ) throws(KernelError) -> ScaledOperand {
    let affine = try type.affine(tensor)
    guard affine.scale > 0, affine.scale != 1 else {
      throw .invalid("comparison of quantized values with scale \(affine.scale)", tensor)
    }
    return ScaledOperand(
      zeroPoint: affine.zeroPoint,
      multiplier: FixedPointMultiplier(Double(affine.scale), rounding: node.rounding), shift: 8)
  }
}

/// A relation between ordered values.
package protocol OrderRelation: Sendable {
  /// Whether the relation asks for equality alone.
  static var isEquality: Bool { get }

  /// Whether the relation holds.
  static func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool
}

/// `a = b`.
package enum EqualTo: OrderRelation {
  package static let isEquality = true

  @inline(__always)
  package static func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    left == right
  }
}

/// `a ≠ b`.
package enum NotEqualTo: OrderRelation {
  package static let isEquality = true

  @inline(__always)
  package static func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    left != right
  }
}

/// `a < b`.
package enum Less: OrderRelation {
  package static let isEquality = false

  @inline(__always)
  package static func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    left < right
  }
}

/// `a ≤ b`.
package enum LessOrEqual: OrderRelation {
  package static let isEquality = false

  @inline(__always)
  package static func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    left <= right
  }
}

/// `a > b`.
package enum Greater: OrderRelation {
  package static let isEquality = false

  @inline(__always)
  package static func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    left > right
  }
}

/// `a ≥ b`.
package enum GreaterOrEqual: OrderRelation {
  package static let isEquality = false

  @inline(__always)
  package static func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    left >= right
  }
}

/// A relation of elements as they are.
package struct PlainComparison<Relation, Element>: BinaryArithmetic
where Relation: OrderRelation, Element: TensorElement & Comparable {
  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> BoolByte {
    BoolByte(Relation.holds(left, right))
  }
}

/// A relation of bfloat16 elements.
package struct BFloatComparison<Relation: OrderRelation>: BinaryArithmetic {
  @inline(__always)
  package func apply(_ left: BFloat16, _ right: BFloat16, _ steps: inout some Steps) -> BoolByte {
    BoolByte(Relation.holds(left.float, right.float))
  }
}

/// Equality of truth values.
package struct BoolComparison<Relation: OrderRelation>: BinaryArithmetic {
  @inline(__always)
  package func apply(_ left: BoolByte, _ right: BoolByte, _ steps: inout some Steps) -> BoolByte {
    BoolByte(Relation.holds(left.value ? 1 : 0, right.value ? 1 : 0))
  }
}

/// A relation of quantized operands, each multiplied by its scale in fixed point.
///
///     m_a (a − z_a) 2⁸ ∘ m_b (b − z_b) 2⁸
///
/// The factors are the scales themselves, so small differences of small scales vanish. For scales
/// above 1 TFLite shifts by a count that wraps, which leaves hardly more than the sign.
package struct QuantizedComparison<Relation, Element>: BinaryArithmetic
where Relation: OrderRelation, Element: TensorElement & FixedWidthInteger {
  package let left: ScaledOperand
  package let right: ScaledOperand

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> BoolByte {
    let a = self.left.scaledDown(Int32(left), "left", &steps)
    let b = self.right.scaledDown(Int32(right), "right", &steps)
    let holds = Relation.holds(a, b)
    steps.note("result", "whether the relation holds for \(a) and \(b)", holds ? 1 : 0)
    return BoolByte(holds)
  }
}
