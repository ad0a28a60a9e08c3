// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension ConvolutionFormats {
  /// The `FULLY_CONNECTED` kernel of `nest` that the operands' element types select.
  func fullyConnected(
    _ nest: FullyConnectedNest, shape: Shape, options: FullyConnectedOptions
  ) throws(KernelError) -> Prepared {
    let output = try node.declaredOutput()
    let type = TensorType(output.elementType, shape, quantization: output.quantization)
    let (input, filter) = (try node.input(0), try node.input(1))
    switch (input.elementType, filter.elementType, output.elementType) {
    case (.float32, .float32, _):
      return Prepared(type, ConvolutionKernel(try float(), nest))
    case (.float32, .uint8, _), (.float32, .int8, _), (.float32, .int4, _), (.float32, .int2, _):
      let kernel = HybridConvolutionKernel(
        try hybrid(.byProduct), options.asymmetricQuantizeInputs ? .asymmetric : .symmetric,
        nest, unpackedFilter: try node.unpackedWeights(1))
      return Prepared(type, kernel, scratch: kernel.loop.scratch)
    case (.uint8, .uint8, .uint8):
      return try quantized(nest, type, UInt8.self, UInt8.self, sum: Int32.self, UInt8.self)
    case (.uint8, .uint8, .int16):
      return try quantized(nest, type, UInt8.self, UInt8.self, sum: Int32.self, Int16.self)
    case (.int8, .int8, .int8), (.int8, .int4, .int8), (.int8, .int2, .int8):
      return try quantized(nest, type, Int8.self, Int8.self, sum: Int32.self, Int8.self)
    case (.int16, .int8, .int16), (.int16, .int4, .int16), (.int16, .int2, .int16):
      _ = try symmetricScales()
      return try hasNarrowBias(options.quantizedBiasType)
        ? quantized(nest, type, Int16.self, Int8.self, sum: Int32.self, Int16.self)
        : quantized(nest, type, Int16.self, Int8.self, sum: Int64.self, Int16.self)
    case (.int16, .int16, .int16):
      _ = try hasNarrowBias(options.quantizedBiasType)
      return options.quantizedBiasType == .int64
        ? Prepared(type, ConvolutionKernel(try int16Weights(bias: Int64.self), nest))
        : Prepared(type, ConvolutionKernel(try int16Weights(bias: Int32.self), nest))
    case (let input, let filter, let output):
      throw .unsupported(
        "\(filter.schemaName) weights for \(input.schemaName) input and "
          + "\(output.schemaName) output")
    }
  }

  private func quantized<Activation, Weight, Sum, Result>(
    _ nest: FullyConnectedNest, _ type: TensorType, _: Activation.Type, _: Weight.Type,
    sum: Sum.Type, _: Result.Type
  ) throws(KernelError) -> Prepared
  where
    Activation: TensorElement & FixedWidthInteger, Weight: TensorElement & FixedWidthInteger,
    Sum: TensorElement & FixedWidthInteger, Result: TensorElement & FixedWidthInteger
  {
    try expectBias([Sum.elementType])
    let (input, output) = try activationScales()
    let filter = try denseWeights(input, output)
    let factors = filter.scales.map { scale in
      Double(input.scale) * Double(scale) / Double(output.scale)
    }
    let scaling: SumScaling
    if node.rounding == .double, !node.productsRoundUp || Activation.bitWidth != 8 {
      scaling = .real(factors)
    } else {
      scaling = .fixedPoint(
        ChannelMultipliers(
          factors.map {
            FixedPointMultiplier(
              $0, rounding: node.rounding, shiftsHalvesUp: node.productsRoundUp)
          }))
    }
    let arithmetic = QuantizedFullyConnected<Activation, Weight, Sum, Result>(
      inputZeroPoint: input.zeroPoint, filterZeroPoint: filter.zeroPoint,
      outputZeroPoint: output.zeroPoint, scaling: scaling,
      range: try ActivationRange(activation, output: output, as: Result.self))
    let weights = try node.unpackedWeights(1)
    return Prepared(type, ConvolutionKernel(arithmetic, nest, unpackedFilter: weights))
  }

  /// int16 activations and weights: a 64-bit sum, scaled in fixed point.
  ///
  /// The bias is read as int32 unless the options say INT64: an int64 bias that they do not
  /// announce gives its units the lower and upper halves of its numbers in turn, as in TFLite.
  private func int16Weights<Bias>(
    bias: Bias.Type
  ) throws(KernelError) -> WideProducts<Int16, Bias>
  where Bias: TensorElement & FixedWidthInteger {
    try expectBias([Bias.elementType, .int64])
    let (input, output) = try symmetricScales()
    let filter = try denseWeights(input, output)
    let factors =
      filter.scales.count == 1
      ? singlePrecisionMultiplier(
        input, Affine(scale: filter.scales[0], zeroPoint: filter.zeroPoint), output)
      : try multipliers(input, output)
    return WideProducts(
      filterZeroPoint: filter.zeroPoint, multipliers: factors,
      range: try ActivationRange(activation, output: output, as: Int16.self))
  }

  /// The scales of the weights; a zero point is allowed per tensor only, as is TFLite's check of
  /// the bias' scale.
  private func denseWeights(
    _ input: Affine, _ output: Affine
  ) throws(KernelError) -> (scales: [Float], zeroPoint: Int32) {
    let quantization = try filterQuantization()
    guard quantization.scaleCount == 1 else {
      guard quantization.axis == 0 else {
        throw .invalid("quantized dimension \(quantization.axis), wanted 0", .input(1))
      }
      return (try symmetricFilterScales(), 0)
    }
    let filter = try node.input(1).affine(.input(1))
    try expectBiasScale(input, filter, output)
    return ([filter.scale], filter.zeroPoint)
  }
}
