// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// `SIN`: the sine of each element, an angle in radians.
///
/// TFLite: `elementwise.cc`.
package struct Sine: RealFunction {
  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { FloatMath.sin(x) }
}

/// `COS`: the cosine of each element, an angle in radians.
///
/// TFLite: `elementwise.cc`.
package struct Cosine: RealFunction {
  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { FloatMath.cos(x) }
}

extension CatalogEntry {
  /// `SIN`.
  static let sin = CatalogEntry(.sin, variants: "f32 f16") { _ in
    RealFunctionOperator(Sine(), types: [.float32, .float16])
  }

  /// `COS`.
  static let cos = CatalogEntry(.cos, variants: "f32 f16") { _ in
    RealFunctionOperator(Cosine(), types: [.float32, .float16])
  }
}
