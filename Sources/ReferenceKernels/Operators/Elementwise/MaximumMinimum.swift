// SPDX-License-Identifier: Apache-2.0

import ModelFormat
package import Tensors

/// `MAXIMUM` and `MINIMUM`: the larger or smaller of two elements, broadcast to each other.
///
///     y = a if a > b, else b      y = a if a < b, else b
///
/// So the second operand wins where one is NaN and where zeros differ in sign. Quantised codes are
/// compared as they are: TFLite assumes equal quantisation of all three tensors.
/// TFLite: `maximum_minimum.cc`.
struct MaximumMinimum: Operator {
  let takesLarger: Bool

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    switch binary.left.elementType {
    case .float32: return binary.prepared(Extremum<Float>(takesLarger: takesLarger))
    case .float16: return binary.prepared(Extremum<Float16>(takesLarger: takesLarger))
    case .bfloat16: return binary.prepared(BFloatExtremum(takesLarger: takesLarger))
    case .int8: return binary.prepared(Extremum<Int8>(takesLarger: takesLarger))
    case .uint8: return binary.prepared(Extremum<UInt8>(takesLarger: takesLarger))
    case .int16: return binary.prepared(Extremum<Int16>(takesLarger: takesLarger))
    case .int32: return binary.prepared(Extremum<Int32>(takesLarger: takesLarger))
    case .int64: return binary.prepared(Extremum<Int64>(takesLarger: takesLarger))
    case .string, .bool, .complex64, .float64, .complex128, .uint64, .resource, .variant, .uint32,
      .uint16, .int4, .int2, .uint4:
      throw .elementType(binary.left.elementType, .input(0))
    }
  }
}

extension CatalogEntry {
  private static let extremumVariants = "f32 i32 i64 i8 u8 i16 f16 bf16 i8_q u8_q i16_q"

  /// `MAXIMUM`.
  static let maximum = CatalogEntry(.maximum, variants: extremumVariants) { _ in
    MaximumMinimum(takesLarger: true)
  }

  /// `MINIMUM`.
  static let minimum = CatalogEntry(.minimum, variants: extremumVariants) { _ in
    MaximumMinimum(takesLarger: false)
  }
}

/// The larger or smaller of two elements.
package struct Extremum<Element: TensorElement & Comparable>: BinaryArithmetic {
  package let takesLarger: Bool

  @inline(__always)
  package func apply(_ left: Element, _ right: Element) -> Element {
    (takesLarger ? left > right : left < right) ? left : right
  }
}

/// The larger or smaller of two bfloat16 elements.
package struct BFloatExtremum: BinaryArithmetic {
  package let takesLarger: Bool

  @inline(__always)
  package func apply(_ left: BFloat16, _ right: BFloat16) -> BFloat16 {
    (takesLarger ? left.float > right.float : left.float < right.float) ? left : right
  }
}
