// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Integer activations and weights whose sums are scaled in double precision.
///
///     y = clamp(zᵧ + round(sₓ s_w[u] / sᵧ · (Σ (x − zₓ)(w − z_w) + bias)))
///
/// The rounding is half away from zero. TFLite's reference kernel does so since 2025; before, and
/// in the `single` profile of microcontrollers, the factor is a fixed-point number.
package struct QuantizedFullyConnected<Activation, Weight, Sum, Result>: ConvolutionArithmetic
where
  Activation: TensorElement & FixedWidthInteger, Weight: TensorElement & FixedWidthInteger,
  Sum: TensorElement & FixedWidthInteger, Result: TensorElement & FixedWidthInteger
{
  package typealias Input = Activation
  package typealias Filter = Weight
  package typealias Bias = Sum
  package typealias Output = Result

  package let inputZeroPoint: Int32
  package let filterZeroPoint: Int32
  package let outputZeroPoint: Int32
  package let scaling: SumScaling
  package let range: ActivationRange<Int32>

  package func start(channel: Int) -> Sum { 0 }

  /// |(x − zₓ)(w − z_w)| is below 2^24 even for 16-bit activations.
  @inline(__always)
  package func accumulate(
    _ sum: inout Sum, _ input: Activation, _ filter: Weight, _ steps: inout some Steps
  ) {
    let product = (Int32(input) &- inputZeroPoint) &* (Int32(filter) &- filterZeroPoint)
    sum &+= Sum(truncatingIfNeeded: steps.term(product))
  }

  @inline(__always)
  package func finish(
    _ sum: Sum, bias: Sum?, channel: Int, _ steps: inout some Steps
  ) -> Result {
    let sum = steps.addBias(steps.accumulator(sum), bias)
    let scaled = scaling.scale(sum, channel: channel, &steps)
    return steps.store(scaled, zeroPoint: outputZeroPoint, range)
  }
}

/// How an integer sum is brought to the output's scale.
package enum SumScaling: Sendable {
  /// By a real factor, one for all channels or one for each.
  case real([Double])
  /// By a fixed-point factor.
  case fixedPoint(ChannelMultipliers)

  /// The sum in steps of the output.
  ///
  /// Beyond 32 bits a real factor gives the least integer, as x86's conversion does.
  @inline(__always)
  package func scale<Sum: FixedWidthInteger>(
    _ sum: Sum, channel: Int, _ steps: inout some Steps
  ) -> Int32 {
    switch self {
    case .real(let factors):
      let factor = steps.note(
        "factor", "input scale × weight scale / output scale",
        factors.count == 1 ? factors[0] : factors[channel])
      let product = steps.note("product", "\(sum) × \(factor.operand)", Double(sum) * factor)
      return steps.note(
        "rounding", "round(\(product)), halves away from zero", Int32(roundingOrLeast: product))
    case .fixedPoint(let factors) where Sum.bitWidth == 32:
      return steps.scale(Int32(truncatingIfNeeded: sum), by: factors[channel])
    case .fixedPoint(let factors):
      return steps.scaleWide(Int64(truncatingIfNeeded: sum), by: factors[channel])
    }
  }
}
