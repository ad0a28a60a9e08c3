// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

// `PRELU` as converters without it write it: `relu(x) + α · −relu(−x)`.

extension KernelSet {
  /// A rectifier before or after a change of sign: one function.
  static func negatedRectifier(_ pair: FusionPair) -> Fusion? {
    guard pair.sources == [.result], let first = pair.first.blocks?.element,
      let second = pair.second.blocks?.element
    else { return nil }
    let function: FloatRescale? =
      if (first as? FloatMap)?.isNegation == true {
        (second as? FloatRescale)?.ofNegated
      } else if (second as? FloatMap)?.isNegation == true {
        (first as? FloatRescale)?.negated
      } else {
        nil
      }
    return function.map { Fusion(OptimizedKernel($0), inputs: pair.firstInputs) }
  }

  /// Negative elements by themselves, then their product with constants: one operation.
  static func slopeOfNegatives(_ pair: FusionPair) -> Fusion? {
    guard pair.second.reference != nil, pair.sources.count == 2,
      let position = pair.sources.firstIndex(of: .result), pair.sources[1 - position] == .other,
      (pair.first.blocks?.element as? FloatRescale)?.takesNegatives == true,
      let product = (pair.second.blocks?.row as? FloatBinary)?.ofNegatives(position),
      let slopes = pair.second.context.inputs[1 - position], slopes.isConstant,
      slopes.bytes?.hasFiniteFloats == true
    else { return nil }
    return Fusion(OptimizedKernel(product), inputs: [.first(0), .second(1 - position)])
  }

  /// A rectifier, and what adds to it such products with its own operand: `PRELU`.
  static func slopeBelowZero(_ pair: FusionPair) -> Fusion? {
    guard pair.sources == [.input(0), .other, .result],
      (pair.first.blocks?.element as? FloatRescale)?.isRectifier == true,
      let parts = (pair.second.kernel.kernel as? FollowedKernel)?.parts, parts.count == 2,
      let product = parts[0] as? FloatBinary, let sum = parts[1] as? FloatBinary,
      let kernel = product.slope(summedBy: sum)
    else { return nil }
    return Fusion(OptimizedKernel(kernel), inputs: [.first(0), .second(1)])
  }
}

extension TensorBytes {
  /// Whether none of its floats is infinite or not a number.
  fileprivate var hasFiniteFloats: Bool {
    let floats: Span<Float> = span()
    for index in floats.indices where !floats[index].isFinite { return false }
    return true
  }
}
