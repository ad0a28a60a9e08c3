// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let exp = CatalogEntry(
    .exp, chapter: .elementwise, formula: "y = eˣ", versions: .upTo(2),
    variants: "f32 i8_q i16_q", optimized: "f32 i8_q i16_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    RealFunctionOperator(Exponential(), types: [.float32, .int8, .int16])
  }

  static let log = CatalogEntry(
    .log, chapter: .elementwise, formula: "y = ln x", versions: .upTo(2),
    variants: "f32 i8_q i16_q", optimized: "f32 i8_q i16_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    RealFunctionOperator(Logarithm(), types: [.float32, .int8, .int16])
  }

  static let elu = CatalogEntry(
    .elu, chapter: .elementwise, formula: "y = x if x ≥ 0, else eˣ − 1",
    versions: .upTo(1, reference: 0),
    variants: "f32 i8_q", optimized: "f32 i8_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    RealFunctionOperator(ExponentialLinearUnit(), types: [.float32, .int8])
  }
}

/// `EXP`: e to the power of each element.
///
/// TFLite: `exp.cc`.
package struct Exponential: RealFunction {
  package static var name: LoopFamily.Function? { .exponential }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { FloatMath.exp(x) }
}

/// `LOG`: the natural logarithm of each element.
///
/// Quantized values of numbers that are not positive give the lowest quantized value. TFLite:
/// `elementwise.cc`.
package struct Logarithm: RealFunction {
  package static var name: LoopFamily.Function? { .logarithm }

  /// What numbers that are not positive give; nil for minus infinity or NaN.
  package var lowest: Float?

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float {
    if x <= 0, let lowest { return lowest }
    return FloatMath.log(x)
  }

  package func tabulated(lowest: Float) -> Logarithm { Logarithm(lowest: lowest) }
}

/// `ELU`: the exponential linear unit.
///
/// TFLite: `activations.cc`, `reference/elu.h`.
package struct ExponentialLinearUnit: RealFunction {
  package static var name: LoopFamily.Function? { .exponentialLinearUnit }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { x < 0 ? FloatMath.expm1(x) : x }
}
