// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let sin = CatalogEntry(
    .sin, chapter: .elementwise, formula: "y = sin x", versions: .upTo(2, reference: 1),
    variants: "f32 f16", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { _ in
    RealFunctionOperator(Sine(), types: [.float32, .float16])
  }

  static let cos = CatalogEntry(
    .cos, chapter: .elementwise, formula: "y = cos x", versions: .upTo(2, reference: 1),
    variants: "f32 f16", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { _ in
    RealFunctionOperator(Cosine(), types: [.float32, .float16])
  }
}

/// `SIN`: the sine of each element, an angle in radians.
///
/// TFLite: `elementwise.cc`.
package struct Sine: RealFunction {
  package static var name: LoopFamily.Function? { .sine }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { FloatMath.sin(x) }
}

/// `COS`: the cosine of each element, an angle in radians.
///
/// TFLite: `elementwise.cc`.
package struct Cosine: RealFunction {
  package static var name: LoopFamily.Function? { .cosine }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { FloatMath.cos(x) }
}
