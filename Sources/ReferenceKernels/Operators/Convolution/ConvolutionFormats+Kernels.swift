// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

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
