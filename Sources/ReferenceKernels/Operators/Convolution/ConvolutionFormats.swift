// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
import Tensors

/// The arithmetic of a convolution node in each number format: input 0 activations, input 1
/// filter, input 2 bias where there is one.
package struct ConvolutionFormats {
  private let node: PrepareContext
  private let activation: FusedActivation
  private let outputDepth: Int
  private let positions: Positions

  /// At which of the node's inputs the operands are.
  package struct Positions: Sendable {
    package var input = 0
    package var filter = 1
    package var bias = 2
  }

  /// The formats of a node with `outputDepth` output channels.
  package init(
    _ node: PrepareContext, activation: FusedActivation, outputDepth: Int,
    positions: Positions = Positions()
  ) {
    self.node = node
    self.activation = activation
    self.outputDepth = outputDepth
    self.positions = positions
  }

  /// Float throughout.
  package func float() throws(KernelError) -> FloatConvolution {
    try expectBias(.float32)
    return FloatConvolution(range: try ActivationRange(activation))
  }

  /// uint8 activations and weights, quantised per tensor.
  ///
  /// The product of the input scales is formed in float32 here and only here.
  package func uint8() throws(KernelError) -> QuantizedConvolution<UInt8, UInt8> {
    try expectBias(.int32)
    let filter = try node.input(positions.filter).affine(.input(positions.filter))
    let (input, output) = try activationScales()
    try expectBiasScale(input, filter, output)
    let factor = Double(input.scale * filter.scale) / Double(output.scale)
    return QuantizedConvolution(
      inputZeroPoint: input.zeroPoint, filterZeroPoint: filter.zeroPoint,
      outputZeroPoint: output.zeroPoint,
      multipliers: ChannelMultipliers([FixedPointMultiplier(factor, rounding: node.rounding)]),
      range: try ActivationRange(activation, output: output, as: UInt8.self))
  }

  /// int8 activations and weights, the weights quantised per tensor or per channel.
  package func int8() throws(KernelError) -> QuantizedConvolution<Int8, Int8> {
    try expectBias(.int32)
    let (input, output) = try activationScales()
    return QuantizedConvolution(
      inputZeroPoint: input.zeroPoint, filterZeroPoint: 0, outputZeroPoint: output.zeroPoint,
      multipliers: try multipliers(input, output),
      range: try ActivationRange(activation, output: output, as: Int8.self))
  }

  /// int16 activations, int8 weights and an int64 bias.
  package func int16() throws(KernelError) -> WideConvolution {
    try expectBias(.int64)
    let (input, output) = try symmetricScales()
    return WideConvolution(
      multipliers: try multipliers(input, output),
      range: try ActivationRange(activation, output: output, as: Int16.self))
  }

  /// int16 activations, int8 weights and an int32 bias: a 32-bit sum, scaled as in 8 bits.
  package func int16WithNarrowBias() throws(KernelError) -> QuantizedConvolution<Int16, Int8> {
    try expectBias(.int32)
    let (input, output) = try symmetricScales()
    return QuantizedConvolution(
      inputZeroPoint: 0, filterZeroPoint: 0, outputZeroPoint: 0,
      multipliers: try multipliers(input, output),
      range: try ActivationRange(activation, output: output, as: Int16.self))
  }

  private func activationScales() throws(KernelError) -> (input: Affine, output: Affine) {
    let input = try node.input(positions.input)
    let output = try node.declaredOutput()
    guard output.elementType == input.elementType else {
      throw .elementType(output.elementType, .output(0))
    }
    return (try input.affine(.input(positions.input)), try output.affine(.output(0)))
  }

  private func symmetricScales() throws(KernelError) -> (input: Affine, output: Affine) {
    let scales = try activationScales()
    guard scales.input.zeroPoint == 0, scales.output.zeroPoint == 0 else {
      throw .invalid("int16 zero points must be 0")
    }
    return scales
  }

  /// `s_input · s_filter[c] / s_output`, formed in double precision.
  private func multipliers(
    _ input: Affine, _ output: Affine
  ) throws(KernelError) -> ChannelMultipliers {
    let position = positions.filter
    guard let quantization = try node.input(position).quantization,
      [1, outputDepth].contains(quantization.scales.count)
    else { throw .invalid("wanted 1 or \(outputDepth) filter scales", .input(position)) }
    guard quantization.zeroPoints.allSatisfy({ $0 == 0 }) else {
      throw .invalid("filter zero point must be 0", .input(position))
    }
    return ChannelMultipliers(
      quantization.scales.map { scale in
        FixedPointMultiplier(
          Double(input.scale) * Double(scale) / Double(output.scale), rounding: node.rounding)
      })
  }

  private func expectBias(_ type: ElementType) throws(KernelError) {
    guard let bias = node.optionalInput(positions.bias) else { return }
    guard bias.elementType == type else {
      throw .elementType(bias.elementType, .input(positions.bias))
    }
    guard bias.shape.elementCount == outputDepth else {
      throw .invalid("\(bias.shape) bias for \(outputDepth) channels", .input(positions.bias))
    }
  }

  /// TFLite refuses a bias whose scale is not that of the products, within 2 % of an output step.
  private func expectBiasScale(
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
