// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A quantized number in another quantization.
///
///     y = clamp(z_y + m (x − z_x)),   m = s_x / s_y in fixed point
package struct Requantization<Input, Output>: UnaryArithmetic
where
  Input: TensorElement & FixedWidthInteger, Output: TensorElement & FixedWidthInteger
{
  /// The quantized value of real zero in the input.
  package let inputZeroPoint: Int32
  /// The quantized value of real zero in the output.
  package let outputZeroPoint: Int32
  /// The ratio of the scales.
  package let multiplier: FixedPointMultiplier
  /// The quantized values that results are limited to.
  package let range: ActivationRange<Int32>

  /// The mapping from `input` to `output`, of whose scales `multiplier` is the ratio.
  package init(
    _ input: Affine, _ output: Affine, multiplier: FixedPointMultiplier,
    range: ActivationRange<Int32>? = nil
  ) {
    inputZeroPoint = input.zeroPoint
    outputZeroPoint = output.zeroPoint
    self.multiplier = multiplier
    self.range =
      range ?? ActivationRange(Int32(clamping: Output.min), Int32(clamping: Output.max))
  }

  @inline(__always)
  package func apply(_ value: Input, _ steps: inout some Steps) -> Output {
    let distance = steps.difference(
      Int32(truncatingIfNeeded: value), inputZeroPoint, "distance")
    let scaled = steps.scale(distance, by: multiplier)
    let quantized = steps.clamp(steps.addZeroPoint(scaled, outputZeroPoint), range)
    return steps.store(quantized, Output(truncatingIfNeeded: quantized))
  }
}
