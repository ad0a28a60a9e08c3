// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  private static let extremumVariants = "f32 i32 i64 i8 u8 i16 f16 bf16 i8_q u8_q i16_q"

  static let maximum = CatalogEntry(
    .maximum, chapter: .elementwise, formula: "y = a if a > b, else b", versions: .upTo(4),
    variants: extremumVariants, optimized: "f32 i8 u8 i32 u8_q i8_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    MaximumMinimum(Larger.self)
  }

  static let minimum = CatalogEntry(
    .minimum, chapter: .elementwise, formula: "y = a if a < b, else b", versions: .upTo(4),
    variants: extremumVariants, optimized: "f32 i8 u8 i32 u8_q i8_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    MaximumMinimum(Smaller.self)
  }
}

/// `MAXIMUM` and `MINIMUM`: the larger or smaller of two elements, broadcast to each other.
///
/// So the second operand wins where one is NaN and where zeros differ in sign. Quantized values are
/// compared as they are: TFLite assumes equal quantization of all three tensors.
/// TFLite: `maximum_minimum.cc`.
///
/// The operator itself is not generic, so that its loops are compiled for the choice.
struct MaximumMinimum: Operator {
  private let body: @Sendable (PrepareContext) throws(KernelError) -> Prepared

  /// The operator that takes the first operand where `choice` says so.
  init<Choice: ExtremumChoice>(_ choice: Choice.Type) {
    body = { node throws(KernelError) in
      try BinaryNode(node).preparedExtremum(choice)
    }
  }

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared { try body(node) }
}

extension BinaryNode {
  fileprivate func preparedExtremum<Choice: ExtremumChoice>(
    _ choice: Choice.Type
  ) throws(KernelError) -> Prepared {
    switch left.elementType {
    case .float32: return prepared(Extremum<Choice, Float>())
    case .float16: return prepared(Extremum<Choice, Float16>())
    case .bfloat16: return prepared(BFloatExtremum<Choice>())
    case .int8: return prepared(Extremum<Choice, Int8>())
    case .uint8: return prepared(Extremum<Choice, UInt8>())
    case .int16: return prepared(Extremum<Choice, Int16>())
    case .int32: return prepared(Extremum<Choice, Int32>())
    case .int64: return prepared(Extremum<Choice, Int64>())
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// Which of two operands is taken.
package protocol ExtremumChoice: Sendable {
  /// Whether it is the first.
  static func takes<Value: Comparable>(_ left: Value, before right: Value) -> Bool
}

/// The first operand where it is larger.
package enum Larger: ExtremumChoice {
  @inline(__always)
  package static func takes<Value: Comparable>(_ left: Value, before right: Value) -> Bool {
    left > right
  }
}

/// The first operand where it is smaller.
package enum Smaller: ExtremumChoice {
  @inline(__always)
  package static func takes<Value: Comparable>(_ left: Value, before right: Value) -> Bool {
    left < right
  }
}

/// The first operand where it is the one to take, else the second.
package struct Extremum<Choice, Element>: BinaryArithmetic
where Choice: ExtremumChoice, Element: TensorElement & Comparable {
  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    Choice.takes(left, before: right) ? left : right
  }
}

/// The first bfloat16 operand where it is the one to take, else the second.
package struct BFloatExtremum<Choice: ExtremumChoice>: BinaryArithmetic {
  @inline(__always)
  package func apply(_ left: BFloat16, _ right: BFloat16, _ steps: inout some Steps) -> BFloat16 {
    Choice.takes(left.float, before: right.float) ? left : right
  }
}
