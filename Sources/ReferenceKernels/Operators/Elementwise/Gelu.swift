// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let gelu = CatalogEntry(
    .gelu, chapter: .elementwise,
    formula: """
      y = x Φ(x) = x/2 · erfc(−x / √2)
      y ≈ x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³)))
      """,
    versions: .upTo(3, reference: 2),
    variants: "u8_q i8_q i16_q f32 f16", optimized: "u8_q i8_q i16_q f32",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    Gelu(approximates: try node.options(GeluOptions.self).approximate)
  }
}

/// `GELU`: the Gaussian error linear unit.
///
/// The options choose between the two. In float16 each step is rounded to float16.
/// TFLite: `activations.cc`, `reference/gelu.h`.
struct Gelu: Operator {
  let approximates: Bool

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    if unary.input.elementType == .float16 {
      return unary.prepared(HalfGelu(approximates: approximates))
    }
    return try RealFunctionOperator(
      FloatGelu(approximates: approximates), types: [.float32, .uint8, .int8, .int16],
      int16IsSymmetric: false
    ).prepare(node)
  }
}

/// √(2/π), and 1/√2 with its sign changed, rounded from double precision.
private let squareRootOf2OverPi = Float(0.797884560802865355879892119868763737)
private let minusHalfSquareRootOf2 = Float(-0.707106781186547524400844362104849039)

/// The function in single precision.
package struct FloatGelu: RealFunction {
  package static var name: LoopFamily.Function? { .gelu }

  package let approximates: Bool

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float {
    guard approximates else { return 0.5 * x * FloatMath.erfc(x * minusHalfSquareRootOf2) }
    let cubic = 0.044715 * x * x * x
    return 0.5 * x * (1 + FloatMath.tanh(squareRootOf2OverPi * (x + cubic)))
  }
}

/// The function rounded to half precision at each step.
package struct HalfGelu: UnaryArithmetic {
  package let approximates: Bool

  @inline(__always)
  package func apply(_ x: Float16, _ steps: inout some Steps) -> Float16 {
    guard approximates else {
      let scaled = Float(x * Float16(minusHalfSquareRootOf2))
      return 0.5 * x * Float16(FloatMath.erfc(scaled))
    }
    let cubic = 0.044715 * (x * x * x)
    let argument = Float(Float16(squareRootOf2OverPi) * (x + cubic))
    return 0.5 * x * (1 + Float16(FloatMath.tanh(argument)))
  }
}
