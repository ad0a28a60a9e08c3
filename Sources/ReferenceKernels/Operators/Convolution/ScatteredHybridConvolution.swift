// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Float activations, quantized at every inference, whose products are scaled one by one.
///
///     y = clamp(Σ ((x − zₓ) w · s_w[c]) · sₓ + bias)
///
/// TFLite's hybrid `TRANSPOSE_CONV` adds every product to the output in float32, so that each of
/// these operations rounds; results near zero tell that from an integer sum.
package struct ScatteredHybridConvolution: HybridArithmetic {
  /// The filter's scales: one, or as many as channels.
  package let filterScales: [Float]
  package let range: ActivationRange<Float>
  /// What the current image's quantized values stand for.
  package var input = Affine(scale: 1, zeroPoint: 0)

  /// A running sum, and the scale of its channel's weights.
  package struct ScaledSum {
    fileprivate var value: Float
    fileprivate let filterScale: Float
  }

  /// The same operands and limits as `form`'s.
  package init(_ form: HybridConvolution) {
    filterScales = form.filterScales
    range = form.range
  }

  @inline(__always)
  package func start(channel: Int) -> ScaledSum {
    ScaledSum(
      value: 0, filterScale: filterScales.count == 1 ? filterScales[0] : filterScales[channel])
  }

  @inline(__always)
  package func accumulate(
    _ sum: inout ScaledSum, _ input: Int8, _ filter: Int8, _ steps: inout some Steps
  ) {
    let product = (Int32(input) &- self.input.zeroPoint) &* Int32(filter)
    sum.value += steps.term(Float(product) * sum.filterScale * self.input.scale)
  }

  @inline(__always)
  package func finish(
    _ sum: ScaledSum, bias: Float?, channel: Int, _ steps: inout some Steps
  ) -> Float {
    steps.tell(input, of: "this image's activations")
    steps.note("weight scale", "of this channel", sum.filterScale)
    return steps.activate(steps.addBias(steps.accumulator(sum.value), bias), range)
  }
}
