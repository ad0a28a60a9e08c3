// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// `CONV_2D`: a window of weights slides over a picture; see `Conv2DKernel` for the formula.
///
/// - Input 0: activations, `[batch, height, width, depth]`.
/// - Input 1: filter, `[output depth, height, width, depth / groups]`.
/// - Input 2: bias, `[output depth]`: as TFLite, required.
/// - Output: `[batch, output height, output width, output depth]`.
///
/// TFLite: `conv.cc`, `padding.h`.
struct Conv2D: Operator {
  let options: Conv2DOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let (input, filter) = (try node.input(0), try node.input(1))
    let output = try node.declaredOutput()
    let (inputShape, filterShape) = (input.shape, filter.shape)
    guard inputShape.rank == 4 else {
      throw .rank(inputShape.rank, wanted: "4", .input(0))
    }
    guard filterShape.rank == 4 else {
      throw .rank(filterShape.rank, wanted: "4", .input(1))
    }
    guard inputShape.dimensions.dropFirst().allSatisfy({ $0 > 0 }), filterShape.elementCount > 0
    else { throw .invalid("empty picture or filter: \(inputShape) by \(filterShape)") }
    let (inputDepth, groupDepth, outputDepth) = (inputShape[3], filterShape[3], filterShape[0])
    guard inputDepth % groupDepth == 0, outputDepth % (inputDepth / groupDepth) == 0 else {
      throw .invalid("\(filterShape) filter for \(inputDepth) channels", .input(1))
    }
    let bias = try node.input(2)
    guard bias.shape.elementCount == outputDepth else {
      throw .invalid("\(bias.shape) bias for \(outputDepth) channels", .input(2))
    }
    let geometry = WindowGeometry(
      rows: try WindowAxis(
        input: inputShape[1], window: filterShape[1], stride: Int(options.strideHeight),
        dilation: Int(options.dilationHeight), padding: options.padding),
      columns: try WindowAxis(
        input: inputShape[2], window: filterShape[2], stride: Int(options.strideWidth),
        dilation: Int(options.dilationWidth), padding: options.padding))
    let shape = try Shape.checked([
      inputShape[0], geometry.rows.output, geometry.columns.output, outputDepth,
    ])
    let nest = Conv2DNest(
      geometry: geometry, batchCount: inputShape[0], inputDepth: inputDepth,
      groupDepth: groupDepth, outputDepth: outputDepth)
    return Prepared(
      TensorType(output.elementType, shape, quantization: output.quantization),
      try kernel(node, nest))
  }

  private func kernel(
    _ node: PrepareContext, _ nest: Conv2DNest
  ) throws(KernelError) -> any Kernel {
    let formats = ConvolutionFormats(
      node, activation: options.fusedActivation, outputDepth: nest.outputDepth)
    switch (try node.input(0).elementType, try node.input(1).elementType) {
    case (.float32, .float32): return Conv2DKernel(try formats.float(), nest)
    case (.uint8, .uint8): return Conv2DKernel(try formats.uint8(), nest)
    case (.int8, .int8): return Conv2DKernel(try formats.int8(), nest)
    case (.int16, .int8) where try node.input(2).elementType == .int32:
      return Conv2DKernel(try formats.int16WithNarrowBias(), nest)
    case (.int16, .int8): return Conv2DKernel(try formats.int16(), nest)
    case (let input, let filter):
      throw .unsupported("\(filter.schemaName) filter for \(input.schemaName) input")
    }
  }
}

extension CatalogEntry {
  /// `CONV_2D`.
  static let conv2D = CatalogEntry(
    .conv2D, variants: "f32 u8_q i8_pt_q i8_pc_q i16x8_q i16x8_b32_q f32_rtw i8_q"
  ) { node throws(KernelError) in Conv2D(options: try node.options()) }
}
