// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The arithmetic of float activations that are quantized at every inference.
package protocol HybridArithmetic: ConvolutionArithmetic
where Input == Int8, Filter == Int8, Bias == Float, Output == Float {
  /// What the current image's quantized values stand for.
  var input: Affine { get set }
}

/// Float activations, quantized at every inference, and integer weights.
///
///     y = clamp(sₓ s_w[c] Σ (x − zₓ) w + bias)
///
/// `sₓ` and `zₓ` belong to one image. Weights have no zero point: TFLite ignores it, and reads
/// uint8 weights as if they were signed.
package struct HybridConvolution: HybridArithmetic {
  /// The filter's scales: one, or as many as channels.
  package let filterScales: [Float]
  /// In which order a sum is scaled.
  package let scaling: Scaling
  package let range: ActivationRange<Float>
  /// What the current image's quantized values stand for.
  package var input = Affine(scale: 1, zeroPoint: 0)

  /// The order of two float products, which decides the last bit.
  package enum Scaling: Sendable {
    /// `Σ · (sₓ · s_w)`.
    case byProduct
    /// `(Σ · s_w) · sₓ`, as `CONV_2D` does with weights quantized per channel.
    case inTurn
  }

  package func start(channel: Int) -> Int32 { 0 }

  @inline(__always)
  package func accumulate(
    _ sum: inout Int32, _ input: Int8, _ filter: Int8, _ steps: inout some Steps
  ) {
    sum &+= steps.term((Int32(input) &- self.input.zeroPoint) &* Int32(filter))
  }

  @inline(__always)
  package func finish(
    _ sum: Int32, bias: Float?, channel: Int, _ steps: inout some Steps
  ) -> Float {
    steps.tell(input, of: "this image's activations")
    let filterScale = steps.weightScale(of: channel, filterScales)
    let real = real(steps.accumulator(sum), filterScale: filterScale, &steps)
    return steps.activate(steps.addBias(real, bias), range)
  }

  /// The real number that a sum of products stands for.
  @inline(__always)
  package func real(_ sum: Int32, filterScale: Float, _ steps: inout some Steps) -> Float {
    switch scaling {
    case .byProduct: steps.product(Float(sum), steps.product(input.scale, filterScale, "factor"))
    case .inTurn: steps.product(steps.product(Float(sum), filterScale), input.scale)
    }
  }
}

extension Steps {
  /// What the quantized values of activations that are quantized together stand for.
  @inline(__always)
  package mutating func tell(_ input: Affine, of activations: String) {
    note("input scale", "from the range of \(activations)", input.scale)
    note("input zero point", "the quantized value of zero", input.zeroPoint)
  }

  /// The scale of a channel's weights, of which there are one or as many as channels.
  @inline(__always)
  package mutating func weightScale(of channel: Int, _ scales: [Float]) -> Float {
    note("weight scale", "of this channel", scales.count == 1 ? scales[0] : scales[channel])
  }
}

/// The loops of `Nest` over activations that are quantized image by image.
package struct HybridConvolutionLoop<Nest: ConvolutionNest, Arithmetic: HybridArithmetic>:
  KernelLoop
{
  package static var family: LoopFamily? {
    LoopFamily(.hybridProducts, Arithmetic.Input.elementType)
  }

  /// The number format, without an image's scale.
  package let arithmetic: Arithmetic
  /// How images are quantized.
  package let quantization: HybridQuantization
  /// The loops and their bounds.
  package let nest: Nest
  /// Weights that were narrower than a byte, one to a byte; nil where the filter is read as is.
  package let unpackedFilter: TensorBytes?

  /// The loops of `nest` over images quantized by `quantization`.
  package init(
    _ arithmetic: Arithmetic, _ quantization: HybridQuantization, _ nest: Nest,
    unpackedFilter: TensorBytes? = nil
  ) {
    self.arithmetic = arithmetic
    self.quantization = quantization
    self.nest = nest
    self.unpackedFilter = unpackedFilter
  }

  /// Bytes of the scratch tensors: the quantized values of one image.
  package var scratch: [Int] { [nest.inputCount] }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    if let unpackedFilter {
      try evaluate(frame, filter: unpackedFilter.span())
    } else {
      try evaluate(frame, filter: frame.input(Nest.positions.filter))
    }
  }

  private func evaluate(
    _ frame: borrowing TensorFrame, filter: Span<Int8>
  ) throws(KernelError) {
    let input = frame.input(Nest.positions.input, as: Float.self)
    let bias = frame.input(Nest.positions.bias, as: Float.self)
    var quantizedValues = frame.scratch(0, as: Int8.self)
    var output = frame.output(0, as: Float.self)
    var meter = frame.workMeter
    for batch in 0..<nest.batchCount {
      let start = batch * nest.inputCount
      var arithmetic = arithmetic
      arithmetic.input = quantization.quantize(
        input.extracting(start..<start + nest.inputCount), into: &quantizedValues)
      try nest.run(
        arithmetic, batch: batch, input: quantizedValues.span, filter: filter, bias: bias,
        output: &output, &meter)
    }
  }
}

/// The kernel of `HybridConvolutionLoop`.
package typealias HybridConvolutionKernel<Nest: ConvolutionNest> = LoopKernel<
  HybridConvolutionLoop<Nest, HybridConvolution>
>

extension LoopKernel {
  /// The loops of `nest` over images quantized by `quantization`.
  package convenience init<Nest: ConvolutionNest, Arithmetic: HybridArithmetic>(
    _ arithmetic: Arithmetic, _ quantization: HybridQuantization, _ nest: Nest,
    unpackedFilter: TensorBytes? = nil
  ) where Loop == HybridConvolutionLoop<Nest, Arithmetic> {
    self.init(HybridConvolutionLoop(arithmetic, quantization, nest, unpackedFilter: unpackedFilter))
  }
}
