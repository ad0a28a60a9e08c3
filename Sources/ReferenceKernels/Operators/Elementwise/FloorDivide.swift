// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let floorDiv = CatalogEntry(
    .floorDiv, chapter: .elementwise, formula: "y = ⌊a / b⌋", versions: .upTo(3),
    variants: "f32 i32 i8 i16", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in
    FloorDivision()
  }

  static let floorMod = CatalogEntry(
    .floorMod, chapter: .elementwise, formula: "y = a − ⌊a / b⌋ b", versions: .upTo(2),
    variants: "f32 i32 i64 i8 i16", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in
    FloorRemainder()
  }
}

/// `FLOOR_DIV`: the quotient of two tensors, rounded down.
///
/// The division is one of doubles, so the largest int32 quotients are exact, and −2³¹ / −1 wraps.
/// A divisor of 0 is an error, also for floats. TFLite: `floor_div.cc`, `reference/floor_div.h`.
struct FloorDivision: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    switch binary.left.elementType {
    case .float32: return binary.prepared(FloatFloorQuotient())
    case .int8: return binary.prepared(IntegerFloorQuotient<Int8>())
    case .int16: return binary.prepared(IntegerFloorQuotient<Int16>())
    case .int32: return binary.prepared(IntegerFloorQuotient<Int32>())
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// `FLOOR_MOD`: the remainder that goes with `FLOOR_DIV`.
///
/// It has the divisor's sign. A float divisor of 0 gives NaN, an integer one is an error.
/// TFLite: `floor_mod.cc`, `reference/floor_mod.h`.
struct FloorRemainder: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    switch binary.left.elementType {
    case .float32: return binary.prepared(FloatFloorRemainder())
    case .int8: return binary.prepared(IntegerFloorRemainder<Int8>())
    case .int16: return binary.prepared(IntegerFloorRemainder<Int16>())
    case .int32: return binary.prepared(IntegerFloorRemainder<Int32>())
    case .int64: return binary.prepared(IntegerFloorRemainder<Int64>())
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// Refuses divisors of 0.
private func expectNoZero<Element: TensorElement & Numeric>(
  _ divisors: Span<Element>
) throws(KernelError) {
  for index in divisors.indices where divisors[index] == 0 {
    throw .invalid("division by zero at element \(index)", .input(1))
  }
}

/// `⌊a / b⌋` of floats, divided in double precision.
package struct FloatFloorQuotient: BinaryArithmetic {
  package func check(_ right: Span<Float>) throws(KernelError) { try expectNoZero(right) }

  @inline(__always)
  package func apply(_ left: Float, _ right: Float, _ steps: inout some Steps) -> Float {
    Float((Double(left) / Double(right)).rounded(.down))
  }
}

/// `⌊a / b⌋` of integers of up to 32 bits.
package struct IntegerFloorQuotient<Element>: BinaryArithmetic
where Element: TensorElement & FixedWidthInteger {
  package func check(_ right: Span<Element>) throws(KernelError) { try expectNoZero(right) }

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    let quotient = (Double(left) / Double(right)).rounded(.down)
    return Element(truncatingIfNeeded: Int32(truncatingOrLeast: quotient))
  }
}

/// `a mod b` of floats, with the sign of `b`.
package struct FloatFloorRemainder: BinaryArithmetic {
  @inline(__always)
  package func apply(_ left: Float, _ right: Float, _ steps: inout some Steps) -> Float {
    let remainder = FloatMath.remainder(left, right)
    return remainder != 0 && (right < 0) != (remainder < 0) ? remainder + right : remainder
  }
}

/// `a mod b` of integers, with the sign of `b`.
package struct IntegerFloorRemainder<Element>: BinaryArithmetic
where Element: TensorElement & FixedWidthInteger {
  package func check(_ right: Span<Element>) throws(KernelError) { try expectNoZero(right) }

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    let remainder = left.remainderReportingOverflow(dividingBy: right).partialValue
    return remainder != 0 && (right < 0) != (remainder < 0) ? remainder &+ right : remainder
  }
}
