// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// `EXP`: e to the power of each element.
///
///     y = eˣ
///
/// TFLite: `exp.cc`.
package struct Exponential: RealFunction {
  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { FloatMath.exp(x) }
}

/// `LOG`: the natural logarithm of each element.
///
///     y = ln x
///
/// Codes of numbers that are not positive give the lowest code. TFLite: `elementwise.cc`.
package struct Logarithm: RealFunction {
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
///     y = x if x ≥ 0, else eˣ − 1
///
/// TFLite: `activations.cc`, `reference/elu.h`.
package struct ExponentialLinearUnit: RealFunction {
  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { x < 0 ? FloatMath.expm1(x) : x }
}

extension CatalogEntry {
  /// `EXP`.
  static let exp = CatalogEntry(.exp, variants: "f32 i8_q i16_q") { _ in
    RealFunctionOperator(Exponential(), types: [.float32, .int8, .int16])
  }

  /// `LOG`.
  static let log = CatalogEntry(.log, variants: "f32 i8_q i16_q") { _ in
    RealFunctionOperator(Logarithm(), types: [.float32, .int8, .int16])
  }

  /// `ELU`.
  static let elu = CatalogEntry(.elu, variants: "f32 i8_q") { _ in
    RealFunctionOperator(ExponentialLinearUnit(), types: [.float32, .int8])
  }
}
