// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// The neighbouring whole number that a rounding rule picks.
///
/// `FLOOR` rounds down, `CEIL` up, `ROUND` to the nearest, halves to the even one.
/// TFLite: `floor.cc`, `ceil.cc`, `round.cc`.
package struct WholeNumber: RealFunction {
  package let rule: FloatingPointRoundingRule

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { x.rounded(rule) }
}

extension CatalogEntry {
  /// `FLOOR`.
  static let floor = CatalogEntry(.floor, variants: "f32 f16 bf16") { _ in
    RealFunctionOperator(WholeNumber(rule: .down), types: [.float32, .float16, .bfloat16])
  }

  /// `CEIL`.
  static let ceil = CatalogEntry(.ceil, variants: "f32") { _ in
    RealFunctionOperator(WholeNumber(rule: .up), types: [.float32])
  }

  /// `ROUND`.
  static let round = CatalogEntry(.round, variants: "f32 f16 bf16") { _ in
    RealFunctionOperator(
      WholeNumber(rule: .toNearestOrEven), types: [.float32, .float16, .bfloat16])
  }
}
