// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  private static let orderVariants = "f32 i32 i64 i16 f16 u8_q i8_q i16_q"

  static let equal = CatalogEntry(
    .equal, chapter: .elementwise, formula: "y = true if a = b, else false", versions: .upTo(5),
    variants: "f32 i32 i64 bool i16 str f16 u8_q i8_q i16_q", optimized: "f32 i32 u8_q i8_q",
    work: .eachOutput, reads: .everything
  ) { _ in Comparison(relation: .equal) }

  static let notEqual = CatalogEntry(
    .notEqual, chapter: .elementwise, formula: "y = true if a ≠ b, else false", versions: .upTo(4),
    variants: "f32 i32 i64 bool str f16 u8_q i8_q i16_q", optimized: "f32 i32 u8_q i8_q",
    work: .eachOutput, reads: .everything
  ) { _ in Comparison(relation: .notEqual) }

  static let less = CatalogEntry(
    .less, chapter: .elementwise, formula: "y = true if a < b, else false", versions: .upTo(3),
    variants: orderVariants + " bf16", optimized: "f32 i32 u8_q i8_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    Comparison(relation: .less)
  }

  static let lessEqual = CatalogEntry(
    .lessEqual, chapter: .elementwise, formula: "y = true if a ≤ b, else false",
    versions: .upTo(2),
    variants: orderVariants, optimized: "f32 i32 u8_q i8_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    Comparison(relation: .lessOrEqual)
  }

  static let greater = CatalogEntry(
    .greater, chapter: .elementwise, formula: "y = true if a > b, else false", versions: .upTo(2),
    variants: orderVariants + " bf16", optimized: "f32 i32 u8_q i8_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    Comparison(relation: .greater)
  }

  static let greaterEqual = CatalogEntry(
    .greaterEqual, chapter: .elementwise, formula: "y = true if a ≥ b, else false",
    versions: .upTo(3),
    variants: orderVariants, optimized: "f32 i32 u8_q i8_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    Comparison(relation: .greaterOrEqual)
  }
}

/// `EQUAL`, `NOT_EQUAL`, `LESS`, `LESS_EQUAL`, `GREATER` and `GREATER_EQUAL`: whether a relation
/// holds between the elements of two tensors, broadcast to each other.
///
/// 8-bit quantized values are brought to a common scale first, see `QuantizedComparison`; so are
/// quantized int16 ones for equality, but TFLite orders them as they are, whatever their scales.
/// Strings can only be equal or not, see `StringComparisonKernel`. TFLite: `comparisons.cc`,
/// `reference/comparisons.h`.
struct Comparison: Operator {
  let relation: OrderRelation

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try ComparisonFormats(relation: relation, node: node, binary: BinaryNode(node)).prepared()
  }
}

/// A relation in each number format.
private struct ComparisonFormats {
  let relation: OrderRelation
  let node: PrepareContext
  let binary: BinaryNode

  func prepared() throws(KernelError) -> Prepared {
    switch binary.left.elementType {
    case .float32: return binary.prepared(PlainComparison<Float>(relation))
    case .float16: return binary.prepared(PlainComparison<Float16>(relation))
    case .bfloat16 where !relation.isEquality:
      return binary.prepared(BFloatComparison(relation: relation))
    case .int32: return binary.prepared(PlainComparison<Int32>(relation))
    case .int64: return binary.prepared(PlainComparison<Int64>(relation))
    case .bool where relation.isEquality:
      return binary.prepared(BoolComparison(relation: relation))
    case .uint8: return binary.prepared(try quantized(as: UInt8.self))
    case .int8: return binary.prepared(try quantized(as: Int8.self))
    case .int16 where relation.isEquality && binary.left.quantization != nil:
      return binary.prepared(try quantized(as: Int16.self))
    case .int16: return binary.prepared(PlainComparison<Int16>(relation))
    case .string where relation.isEquality:
      let kernel = try StringComparisonKernel(
        node, binary.broadcast, equalIs: relation.contains(.equal))
      return binary.prepared(kernel, as: .bool)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func quantized<Element: TensorElement & FixedWidthInteger>(
    as type: Element.Type
  ) throws(KernelError) -> QuantizedComparison<Element> {
    QuantizedComparison(
      relation: relation, left: try operand(binary.left, .input(0)),
      right: try operand(binary.right, .input(1)))
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

/// A relation between ordered values: the orders of two values in which it holds.
package struct OrderRelation: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `a < b`.
  package static let less = OrderRelation(rawValue: 1)
  /// `a = b`.
  package static let equal = OrderRelation(rawValue: 2)
  /// `a > b`.
  package static let greater = OrderRelation(rawValue: 4)
  /// `a` and `b` have no order: one of them is NaN.
  private static let unordered = OrderRelation(rawValue: 8)
  /// `a ≤ b`.
  package static let lessOrEqual: OrderRelation = [less, equal]
  /// `a ≥ b`.
  package static let greaterOrEqual: OrderRelation = [greater, equal]
  /// `a ≠ b`.
  package static let notEqual: OrderRelation = [less, greater, unordered]

  /// Whether the relation asks for equality alone.
  package var isEquality: Bool { self == .equal || self == .notEqual }

  /// Whether the relation holds.
  @inline(__always)
  package func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    // Without branches: the orders of elements are hard to foresee.
    let known: UInt8 = (left < right ? 1 : 0) | (left == right ? 2 : 0) | (left > right ? 4 : 0)
    return rawValue & (known == 0 ? 8 : known) != 0
  }
}

/// A relation of elements as they are.
package struct PlainComparison<Element: TensorElement & Comparable>: BinaryArithmetic {
  /// The relation.
  package let relation: OrderRelation

  init(_ relation: OrderRelation) { self.relation = relation }

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> BoolByte {
    BoolByte(relation.holds(left, right))
  }
}

/// A relation of bfloat16 elements.
package struct BFloatComparison: BinaryArithmetic {
  let relation: OrderRelation

  @inline(__always)
  package func apply(_ left: BFloat16, _ right: BFloat16, _ steps: inout some Steps) -> BoolByte {
    BoolByte(relation.holds(left.float, right.float))
  }
}

/// Equality of truth values.
package struct BoolComparison: BinaryArithmetic {
  let relation: OrderRelation

  @inline(__always)
  package func apply(_ left: BoolByte, _ right: BoolByte, _ steps: inout some Steps) -> BoolByte {
    BoolByte(relation.holds(left.value ? 1 : 0, right.value ? 1 : 0))
  }
}

/// A relation of quantized operands, each multiplied by its scale in fixed point.
///
///     m_a (a − z_a) 2⁸ ∘ m_b (b − z_b) 2⁸
///
/// The factors are the scales themselves, so small differences of small scales vanish. For scales
/// above 1 TFLite shifts by a count that wraps, which leaves hardly more than the sign.
package struct QuantizedComparison<Element>: BinaryArithmetic
where Element: TensorElement & FixedWidthInteger {
  package let relation: OrderRelation
  package let left: ScaledOperand
  package let right: ScaledOperand

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> BoolByte {
    let a = self.left.scaledDown(Int32(left), "left", &steps)
    let b = self.right.scaledDown(Int32(right), "right", &steps)
    let holds = relation.holds(a, b)
    steps.note("result", "whether the relation holds for \(a) and \(b)", holds ? 1 : 0)
    return BoolByte(holds)
  }
}
