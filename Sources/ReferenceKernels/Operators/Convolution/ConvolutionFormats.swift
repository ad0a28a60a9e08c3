// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
import Tensors

/// The arithmetic of a convolution node in each number format.
package struct ConvolutionFormats {
  package let node: PrepareContext
  package let activation: FusedActivation
  package let outputDepth: Int
  package let positions: ConvolutionPositions
  /// Whether TFLite's optimized kernels compute the node with ruy, their library of products.
  private let isProduct: Bool

  /// The formats of a node with `outputDepth` output channels.
  package init(
    _ node: PrepareContext, activation: FusedActivation, outputDepth: Int,
    positions: ConvolutionPositions = ConvolutionPositions(), isProduct: Bool = false
  ) {
    self.node = node
    self.activation = activation
    self.outputDepth = outputDepth
    self.positions = positions
    self.isProduct = isProduct
  }

  /// How the second rounding of 8-bit sums goes.
  var shiftsHalvesUp: Bool { isProduct && node.productsRoundUp }

  /// Float throughout.
  package func float() throws(KernelError) -> FloatConvolution {
    try expectOutput(.float32)
    try expectBias([.float32])
    return FloatConvolution(range: ActivationRange(activation))
  }

  /// Float activations that are quantized at every inference, and integer weights.
  package func hybrid(
    _ scaling: HybridConvolution.Scaling
  ) throws(KernelError) -> HybridConvolution {
    try expectOutput(.float32)
    try expectBias([.float32])
    return HybridConvolution(
      filterScales: try filterQuantization().scales, scaling: scaling,
      range: ActivationRange(activation))
  }

  /// uint8 activations and weights, quantized per tensor.
  ///
  /// The product of the input scales is formed in float32 here and only here.
  package func uint8() throws(KernelError) -> QuantizedConvolution<UInt8, UInt8> {
    try expectOutput(.uint8)
    try expectBias([.int32])
    let filter = try node.input(positions.filter).affine(.input(positions.filter))
    let (input, output) = try activationScales()
    try expectBiasScale(input, filter, output)
    return QuantizedConvolution(
      inputZeroPoint: input.zeroPoint, filterZeroPoint: filter.zeroPoint,
      outputZeroPoint: output.zeroPoint,
      multipliers: singlePrecisionMultiplier(input, filter, output),
      range: try ActivationRange(activation, output: output, as: UInt8.self))
  }

  /// int8 activations and weights, the weights quantized per tensor or per channel.
  package func int8() throws(KernelError) -> QuantizedConvolution<Int8, Int8> {
    try expectOutput(.int8)
    try expectBias([.int32])
    let (input, output) = try activationScales()
    return QuantizedConvolution(
      inputZeroPoint: input.zeroPoint, filterZeroPoint: 0, outputZeroPoint: output.zeroPoint,
      multipliers: try multipliers(input, output, shiftsHalvesUp: shiftsHalvesUp),
      range: try ActivationRange(activation, output: output, as: Int8.self))
  }

  /// int16 activations, int8 weights and an int64 bias.
  package func int16() throws(KernelError) -> WideConvolution {
    try expectOutput(.int16)
    try expectBias([.int64])
    let (input, output) = try symmetricScales()
    return WideConvolution(
      filterZeroPoint: 0, multipliers: try multipliers(input, output),
      range: try ActivationRange(activation, output: output, as: Int16.self))
  }

  /// int16 activations, int8 weights and an int32 bias: a 32-bit sum, scaled as in 8 bits.
  package func int16WithNarrowBias() throws(KernelError) -> QuantizedConvolution<Int16, Int8> {
    try expectOutput(.int16)
    try expectBias([.int32])
    let (input, output) = try symmetricScales()
    return QuantizedConvolution(
      inputZeroPoint: 0, filterZeroPoint: 0, outputZeroPoint: 0,
      multipliers: try multipliers(input, output),
      range: try ActivationRange(activation, output: output, as: Int16.self))
  }
}

/// What formats are made of; operators with rules of their own use it directly.
extension ConvolutionFormats {
  /// Checks the output's element type.
  func expectOutput(_ type: ElementType) throws(KernelError) {
    let output = try node.declaredOutput()
    guard output.elementType == type else { throw .elementType(output.elementType, .output(0)) }
  }

  /// Checks the bias' element type and length, where there is a bias.
  func expectBias(_ types: [ElementType]) throws(KernelError) {
    guard let bias = node.optionalInput(positions.bias) else { return }
    guard types.contains(bias.elementType) else {
      throw .elementType(bias.elementType, .input(positions.bias))
    }
    guard bias.shape.elementCount == outputDepth else {
      throw .invalid("\(bias.shape) bias for \(outputDepth) channels", .input(positions.bias))
    }
  }

  /// The per-tensor quantization of activations and results.
  func activationScales() throws(KernelError) -> (input: Affine, output: Affine) {
    let input = try node.input(positions.input).affine(.input(positions.input))
    return (input, try node.declaredOutput().affine(.output(0)))
  }

  /// The same, where both zero points must be 0.
  func symmetricScales() throws(KernelError) -> (input: Affine, output: Affine) {
    let scales = try activationScales()
    guard scales.input.zeroPoint == 0, scales.output.zeroPoint == 0 else {
      throw .invalid("int16 zero points must be 0")
    }
    return scales
  }

  /// The filter's quantization, with one scale or one for each output channel.
  func filterQuantization() throws(KernelError) -> Quantization {
    guard let quantization = try node.input(positions.filter).quantization,
      quantization.scaleCount == 1 || quantization.scaleCount == outputDepth
    else {
      throw .invalid("wanted 1 or \(outputDepth) filter scales", .input(positions.filter))
    }
    return quantization
  }

  /// The filter's scales, where its zero points must be 0.
  func symmetricFilterScales() throws(KernelError) -> [Float] {
    let quantization = try filterQuantization()
    guard quantization.isSymmetric else {
      throw .invalid("filter zero point must be 0", .input(positions.filter))
    }
    return quantization.scales
  }

  /// `s_input · s_filter[c] / s_output`, formed in double precision.
  func multipliers(
    _ input: Affine, _ output: Affine, shiftsHalvesUp: Bool = false
  ) throws(KernelError) -> ChannelMultipliers {
    ChannelMultipliers(
      try symmetricFilterScales().map { scale in
        FixedPointMultiplier(
          Double(input.scale) * Double(scale) / Double(output.scale), rounding: node.rounding,
          shiftsHalvesUp: shiftsHalvesUp)
      })
  }

  /// `s_input · s_filter / s_output`, the product formed in float32.
  func singlePrecisionMultiplier(
    _ input: Affine, _ filter: Affine, _ output: Affine
  ) -> ChannelMultipliers {
    let factor = Double(input.scale * filter.scale) / Double(output.scale)
    return ChannelMultipliers([
      FixedPointMultiplier(factor, rounding: node.rounding, shiftsHalvesUp: shiftsHalvesUp)
    ])
  }

  /// TFLite refuses a bias whose scale is not that of the products, within 2 % of an output step.
  func expectBiasScale(
    _ input: Affine, _ filter: Affine, _ output: Affine
  ) throws(KernelError) {
    guard let bias = node.optionalInput(positions.bias)?.quantization?.perTensor else { return }
    let difference = abs(Double(input.scale) * Double(filter.scale) - Double(bias.scale))
    guard difference / Double(output.scale) <= 0.02 else {
      throw .invalid(
        "bias scale \(bias.scale), wanted input scale × filter scale", .input(positions.bias))
    }
  }
}

extension ConvolutionFormats {
  /// How a node with float activations and integer weights computes.
  struct HybridRule {
    /// How activations are quantized.
    var quantization = HybridQuantization.asymmetric
    /// In which order sums are scaled.
    var scaling = HybridConvolution.Scaling.byProduct
    /// Whether products are scaled before they are added, not their sum.
    var scalesProducts = false
    /// Whether weights may be uint8, whose bytes are then read as signed.
    var acceptsUInt8 = false
  }

  /// The kernel of `nest` in the number format that the operands' element types select.
  ///
  /// `biasType` is the element type that the options ask of an int16 node's bias, `float32` where
  /// they do not.
  func prepared<Nest: ConvolutionNest>(
    _ nest: Nest, shape: Shape, hybrid: HybridRule, biasType: ElementType = .float32
  ) throws(KernelError) -> Prepared {
    let output = try node.declaredOutput()
    let type = TensorType(output.elementType, shape, quantization: output.quantization)
    let (input, filter) = (try node.input(positions.input), try node.input(positions.filter))
    let weights = try node.unpackedWeights(positions.filter)
    switch (input.elementType, filter.elementType) {
    case (.float32, .float32):
      return Prepared(type, ConvolutionKernel(try float(), nest))
    case (.float32, .uint8) where hybrid.acceptsUInt8, (.float32, .int8), (.float32, .int4):
      let arithmetic = try self.hybrid(hybrid.scaling)
      if hybrid.scalesProducts {
        let kernel = LoopKernel(
          ScatteredHybridConvolution(arithmetic), hybrid.quantization, nest,
          unpackedFilter: weights)
        return Prepared(type, kernel, scratch: kernel.loop.scratch)
      }
      let kernel = HybridConvolutionKernel(
        arithmetic, hybrid.quantization, nest, unpackedFilter: weights)
      return Prepared(type, kernel, scratch: kernel.loop.scratch)
    case (.uint8, .uint8):
      return Prepared(type, ConvolutionKernel(try uint8(), nest))
    case (.int8, .int8), (.int8, .int4):
      return Prepared(type, ConvolutionKernel(try int8(), nest, unpackedFilter: weights))
    case (.int16, .int8), (.int16, .int4):
      if try hasNarrowBias(biasType) {
        return Prepared(
          type, ConvolutionKernel(try int16WithNarrowBias(), nest, unpackedFilter: weights))
      }
      return Prepared(type, ConvolutionKernel(try int16(), nest, unpackedFilter: weights))
    case (let input, let filter):
      throw .unsupported("\(filter.schemaName) filter for \(input.schemaName) input")
    }
  }

  /// Whether an int16 node sums in 32 bits: its bias is int32, or the options say so.
  ///
  /// TFLite decides by the options alone and misreads an int32 bias that they do not announce.
  func hasNarrowBias(_ biasType: ElementType) throws(KernelError) -> Bool {
    let bias = node.optionalInput(positions.bias)?.elementType
    guard biasType != .float32 else { return bias == .int32 }
    guard [.int32, .int64].contains(biasType) else {
      throw .invalid("bias type \(biasType.schemaName) in the options, wanted INT32 or INT64")
    }
    guard bias == nil || bias == biasType else {
      throw .invalid("wanted a bias of \(biasType.schemaName)", .input(positions.bias))
    }
    return biasType == .int32
  }
}
