// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let floor = CatalogEntry(
    .floor, chapter: .elementwise, formula: "y = ⌊x⌋", versions: .upTo(1),
    variants: "f32 f16 bf16", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { _ in
    RealFunctionOperator(Floor(), types: [.float32, .float16, .bfloat16])
  }

  static let ceil = CatalogEntry(
    .ceil, chapter: .elementwise, formula: "y = ⌈x⌉", versions: .upTo(1, reference: 0),
    variants: "f32", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { _ in
    RealFunctionOperator(Ceiling(), types: [.float32])
  }

  static let round = CatalogEntry(
    .round, chapter: .elementwise, formula: "y = the integer nearest to x, of two the even one",
    versions: .upTo(1, reference: 0),
    variants: "f32 f16 bf16", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { _ in
    RealFunctionOperator(
      Nearest(), types: [.float32, .float16, .bfloat16])
  }
}

/// `FLOOR`: the largest whole number up to each element.
///
/// TFLite: `floor.cc`.
package struct Floor: RealFunction {
  package static var name: LoopFamily.Function? { .floor }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { x.rounded(.down) }
}

/// `CEIL`: the smallest whole number from each element on.
///
/// TFLite: `ceil.cc`.
package struct Ceiling: RealFunction {
  package static var name: LoopFamily.Function? { .ceiling }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { x.rounded(.up) }
}

/// `ROUND`: the nearest whole number, and the even one of two.
///
/// Numbers between -1 and 0 give a positive 0, as in TFLite, which rounds down and then adds 1.
/// TFLite: `round.cc`, `reference/round.h`.
package struct Nearest: RealFunction {
  package static var name: LoopFamily.Function? { .nearest }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float {
    let rounded = x.rounded(.toNearestOrEven)
    return rounded == 0 && x < 0 ? 0 : rounded
  }
}
