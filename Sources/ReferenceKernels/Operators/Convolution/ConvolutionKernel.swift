// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The loops of an operator that sums products of activations and weights, for one image.
///
/// Each such operator has one nest for all its number formats; a `ConvolutionArithmetic` is the
/// format. An image is what is quantized as a whole in hybrid kernels: an entry of the batch, or
/// a row of a matrix.
package protocol ConvolutionNest: Sendable {
  /// At which of the node's inputs the operands are.
  static var positions: ConvolutionPositions { get }

  /// Images in the batch.
  var batchCount: Int { get }
  /// Elements of an image.
  var inputCount: Int { get }
  /// Channels of the output.
  var outputDepth: Int { get }

  /// Computes the output of image `batch`, whose activations are `input`.
  ///
  /// `filter` and `bias` are the whole operands, `bias` empty where there is none; `output` is the
  /// whole result. Its products are reported to `meter`.
  ///
  /// - Throws: what `meter` throws.
  @_lifetime(output: copy output)
  func run<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, batch: Int, input: Span<Arithmetic.Input>,
    filter: Span<Arithmetic.Filter>, bias: Span<Arithmetic.Bias>,
    output: inout MutableSpan<Arithmetic.Output>, _ meter: inout WorkMeter
  ) throws(KernelError)
}

/// The inputs of a node at which a convolution's operands are.
package struct ConvolutionPositions: Sendable {
  /// Activations.
  package var input = 0
  /// Weights.
  package var filter = 1
  /// Bias; optional.
  package var bias = 2
}

extension ConvolutionNest {
  package static var positions: ConvolutionPositions { ConvolutionPositions() }
}

/// The loops of `Nest` in the number format of `Arithmetic`.
package struct ConvolutionLoop<Nest: ConvolutionNest, Arithmetic: ConvolutionArithmetic>: KernelLoop
{
  package static var family: LoopFamily? { LoopFamily(.products, Arithmetic.Input.elementType) }

  /// The number format.
  package let arithmetic: Arithmetic
  /// The loops and their bounds.
  package let nest: Nest
  /// Weights that were narrower than a byte, one to a byte; nil where the filter is read as is.
  package let unpackedFilter: TensorBytes?

  /// The loops of `nest` in the number format of `arithmetic`.
  package init(_ arithmetic: Arithmetic, _ nest: Nest, unpackedFilter: TensorBytes? = nil) {
    self.arithmetic = arithmetic
    self.nest = nest
    self.unpackedFilter = unpackedFilter
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    if let unpackedFilter {
      try evaluate(frame, filter: unpackedFilter.span())
    } else {
      try evaluate(frame, filter: frame.input(Nest.positions.filter))
    }
  }

  private func evaluate(
    _ frame: borrowing TensorFrame, filter: Span<Arithmetic.Filter>
  ) throws(KernelError) {
    let input = frame.input(Nest.positions.input, as: Arithmetic.Input.self)
    let bias = frame.input(Nest.positions.bias, as: Arithmetic.Bias.self)
    var output = frame.output(0, as: Arithmetic.Output.self)
    var meter = frame.workMeter
    for batch in 0..<nest.batchCount {
      let start = batch * nest.inputCount
      try nest.run(
        arithmetic, batch: batch, input: input.extracting(start..<start + nest.inputCount),
        filter: filter, bias: bias, output: &output, &meter)
    }
  }
}

/// The kernel of `ConvolutionLoop`.
package typealias ConvolutionKernel<Nest: ConvolutionNest, Arithmetic: ConvolutionArithmetic> =
  LoopKernel<ConvolutionLoop<Nest, Arithmetic>>

extension LoopKernel {
  /// The loops of `nest` in the number format of `arithmetic`.
  package convenience init<Nest: ConvolutionNest, Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, _ nest: Nest, unpackedFilter: TensorBytes? = nil
  ) where Loop == ConvolutionLoop<Nest, Arithmetic> {
    self.init(ConvolutionLoop(arithmetic, nest, unpackedFilter: unpackedFilter))
  }
}

/// How a convolution accumulates products and finishes one output value.
///
/// `CONV_2D`, `DEPTHWISE_CONV_2D` and `TRANSPOSE_CONV` are one loop nest each; this is what
/// differs between their number formats.
package protocol ConvolutionArithmetic: Sendable {
  /// The activations' element.
  associatedtype Input: TensorElement
  /// The weights' element.
  associatedtype Filter: TensorElement
  /// The bias' element.
  associatedtype Bias: TensorElement
  /// The results' element.
  associatedtype Output: TensorElement
  /// A running sum.
  associatedtype Accumulator

  /// The empty sum of an output channel.
  func start(channel: Int) -> Accumulator

  /// Adds the product of an activation and a weight.
  func accumulate(
    _ sum: inout Accumulator, _ input: Input, _ filter: Filter, _ steps: inout some Steps)

  /// The result of a whole sum; `bias` is nil where the node has none.
  func finish(
    _ sum: Accumulator, bias: Bias?, channel: Int, _ steps: inout some Steps
  ) -> Output
}

extension ConvolutionArithmetic {
  /// Adds the product of an activation and a weight.
  @inline(__always)
  package func accumulate(_ sum: inout Accumulator, _ input: Input, _ filter: Filter) {
    var steps = NoSteps()
    accumulate(&sum, input, filter, &steps)
  }

  /// The result of a whole sum; `bias` is nil where the node has none.
  @inline(__always)
  package func finish(_ sum: Accumulator, bias: Bias?, channel: Int) -> Output {
    var steps = NoSteps()
    return finish(sum, bias: bias, channel: channel, &steps)
  }
}

/// Float activations and weights.
///
///     y = clamp(Σ x w + bias)
package struct FloatConvolution: ConvolutionArithmetic {
  package let range: ActivationRange<Float>

  package func start(channel: Int) -> Float { 0 }

  @inline(__always)
  package func accumulate(
    _ sum: inout Float, _ input: Float, _ filter: Float, _ steps: inout some Steps
  ) {
    sum += steps.term(input * filter)
  }

  @inline(__always)
  package func finish(
    _ sum: Float, bias: Float?, channel: Int, _ steps: inout some Steps
  ) -> Float {
    steps.activate(steps.addBias(steps.accumulator(sum), bias), range)
  }
}

/// 8-bit activations and weights, a 32-bit sum.
///
///     y = clamp(zᵧ + m[c] · (Σ (x − zₓ)(w − z_w) + bias))
///
/// `m[c]` is the real factor `sₓ s_w[c] / sᵧ` in fixed point. The sum wraps at 32 bits, as in
/// TFLite; |(x − zₓ)(w − z_w)| ≤ 255², so it is exact for up to 33,000 taps.
package struct QuantizedConvolution<Activation, Weight>: ConvolutionArithmetic
where
  Activation: TensorElement & FixedWidthInteger, Weight: TensorElement & FixedWidthInteger
{
  package typealias Input = Activation
  package typealias Filter = Weight
  package typealias Output = Activation

  package let inputZeroPoint: Int32
  package let filterZeroPoint: Int32
  package let outputZeroPoint: Int32
  package let multipliers: ChannelMultipliers
  package let range: ActivationRange<Int32>

  package func start(channel: Int) -> Int32 { 0 }

  @inline(__always)
  package func accumulate(
    _ sum: inout Int32, _ input: Activation, _ filter: Weight, _ steps: inout some Steps
  ) {
    sum &+= steps.term((Int32(input) &- inputZeroPoint) &* (Int32(filter) &- filterZeroPoint))
  }

  @inline(__always)
  package func finish(
    _ sum: Int32, bias: Int32?, channel: Int, _ steps: inout some Steps
  ) -> Activation {
    let sum = steps.addBias(steps.accumulator(sum), bias)
    let scaled = steps.scale(sum, by: multipliers[channel])
    return steps.store(scaled, zeroPoint: outputZeroPoint, range)
  }
}

/// 16-bit activations with a 64-bit sum, which is scaled with a 16-bit significand.
///
///     y = clamp(m[c] · (Σ x (w − z_w) + bias))
package struct WideProducts<Weight, Bias>: ConvolutionArithmetic
where Weight: TensorElement & FixedWidthInteger, Bias: TensorElement & FixedWidthInteger {
  package typealias Input = Int16
  package typealias Filter = Weight
  package typealias Output = Int16

  package let filterZeroPoint: Int32
  package let multipliers: ChannelMultipliers
  package let range: ActivationRange<Int32>

  package func start(channel: Int) -> Int64 { 0 }

  @inline(__always)
  package func accumulate(
    _ sum: inout Int64, _ input: Int16, _ filter: Weight, _ steps: inout some Steps
  ) {
    sum &+= steps.term(Int64(input) &* Int64(Int32(filter) &- filterZeroPoint))
  }

  @inline(__always)
  package func finish(
    _ sum: Int64, bias: Bias?, channel: Int, _ steps: inout some Steps
  ) -> Int16 {
    let sum = steps.addBias(steps.accumulator(sum), bias.map { Int64($0) })
    let quantized = steps.clamp(steps.scaleWide(sum, by: multipliers[channel]), range)
    return steps.store(quantized, Int16(clamping: quantized))
  }
}

/// 16-bit activations and 8-bit weights with a 64-bit bias.
package typealias WideConvolution = WideProducts<Int8, Int64>

/// One fixed-point factor for all channels, or one for each.
package struct ChannelMultipliers: Sendable {
  /// The factors: one, or as many as channels.
  package let factors: [FixedPointMultiplier]

  /// These factors.
  package init(_ factors: [FixedPointMultiplier]) { self.factors = factors }

  /// The factor of `channel`.
  @inline(__always)
  package subscript(channel: Int) -> FixedPointMultiplier {
    factors.count == 1 ? factors[0] : factors[channel]
  }
}
