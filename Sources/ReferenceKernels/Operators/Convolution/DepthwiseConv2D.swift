// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let depthwiseConv2D = CatalogEntry(
    .depthwiseConv2D, chapter: .convolution, formula: nil, versions: .upTo(7, reference: 6),
    variants: "f32 u8_q i8_pt_q i8_pc_q i8_i4w_q i16x8_q hybrid_i8_pc i8_q",
    optimized: "f32 hybrid_i8_pc i16x8_q i8_i4w_q i8_pc_q i8_pt_q i8_q u8_q",
    work: .products { types in
      // Filter: 1 × height × width × output depth.
      types.products(
        each: types.output(0), types.dimensions(ofInput: 1, rank: 4)?[1...2])
    }, reads: .everything
  ) { node throws(KernelError) in DepthwiseConv2D(options: try node.options()) }
}

/// `DEPTHWISE_CONV_2D`: every channel has windows of its own; see `DepthwiseConv2DNest` for the
/// formula.
///
/// - Input 0: activations, `[batch, height, width, depth]`.
/// - Input 1: filter, `[1, height, width, depth × multiplier]`.
/// - Input 2: bias, `[depth × multiplier]`; optional.
/// - Output: `[batch, output height, output width, depth × multiplier]`.
///
/// The shapes decide on the multiplier; the options' is not read. TFLite: `depthwise_conv.cc`.
struct DepthwiseConv2D: Operator {
  let options: DepthwiseConv2DOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...3)
    let (input, filter) = (try node.image(0), try node.image(1))
    guard input.dimensions.dropFirst().allSatisfy({ $0 > 0 }), filter.elementCount > 0 else {
      throw .invalid("empty image or filter: \(input) by \(filter)")
    }
    let (inputDepth, outputDepth) = (input[3], filter[3])
    guard filter[0] == 1, outputDepth % inputDepth == 0 else {
      throw .invalid("\(filter) filter for \(inputDepth) channels", .input(1))
    }
    let geometry = WindowGeometry(
      rows: try WindowAxis(
        input: input[1], window: filter[1], stride: Int(options.strideHeight),
        dilation: Int(options.dilationHeight), padding: options.padding),
      columns: try WindowAxis(
        input: input[2], window: filter[2], stride: Int(options.strideWidth),
        dilation: Int(options.dilationWidth), padding: options.padding))
    let nest = DepthwiseConv2DNest(
      geometry: geometry, batchCount: input[0], inputDepth: inputDepth, outputDepth: outputDepth)
    let formats = ConvolutionFormats(
      node, activation: options.fusedActivation, outputDepth: outputDepth)
    return try formats.prepared(
      nest,
      shape: Shape.checked([
        input[0], geometry.rows.output, geometry.columns.output, outputDepth,
      ]),
      hybrid: ConvolutionFormats.HybridRule(), biasType: .int64)
  }
}

/// The loop nest of `DEPTHWISE_CONV_2D`, once for all number formats.
///
///     y[b, r, c, o] = finish(Σ over taps (i, j) of
///                            x[b, r·s + i·d − p, c·s + j·d − p, ⌊o / multiplier⌋] · w[0, i, j, o])
///
/// Taps in the padding are left out of the sum.
/// TFLite: `depthwiseconv_float.h`, `depthwiseconv_uint8.h`, `integer_ops/depthwise_conv.h`.
package struct DepthwiseConv2DNest: ConvolutionNest, Hashable {
  /// How the windows slide.
  package var geometry: WindowGeometry
  /// Images in the batch.
  package let batchCount: Int
  /// Channels of the input.
  package let inputDepth: Int
  /// Channels of the output; a multiple of `inputDepth`.
  package let outputDepth: Int

  package var inputCount: Int { geometry.inputCount * inputDepth }

  /// Output channels per input channel.
  package var multiplier: Int { outputDepth / inputDepth }

  @_lifetime(output: copy output)
  package func run<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, batch: Int, input: Span<Arithmetic.Input>,
    filter: Span<Arithmetic.Filter>, bias: Span<Arithmetic.Bias>,
    output: inout MutableSpan<Arithmetic.Output>, _ meter: inout WorkMeter
  ) throws(KernelError) {
    let (rows, columns, multiplier) = (geometry.rows, geometry.columns, multiplier)
    var index = batch * geometry.outputCount * outputDepth
    for row in 0..<rows.output {
      let rowOrigin = rows.origin(row)
      let rowTaps = rows.taps(from: rowOrigin)
      for column in 0..<columns.output {
        let columnOrigin = columns.origin(column)
        let columnTaps = columns.taps(from: columnOrigin)
        for channel in 0..<outputDepth {
          let inputChannel = channel / multiplier
          var sum = arithmetic.start(channel: channel)
          for rowTap in rowTaps {
            let inputRow = rowOrigin + rowTap * rows.dilation
            for columnTap in columnTaps {
              let inputColumn = columnOrigin + columnTap * columns.dilation
              let position = inputRow * columns.input + inputColumn
              let tap = rowTap * columns.window + columnTap
              arithmetic.accumulate(
                &sum, input[position * inputDepth + inputChannel],
                filter[tap * outputDepth + channel])
            }
          }
          output[index] = arithmetic.finish(
            sum, bias: bias.isEmpty ? nil : bias[channel], channel: channel)
          index += 1
        }
        try meter.add(outputDepth * rowTaps.count * columnTaps.count)
      }
    }
  }
}

/// `DEPTHWISE_CONV_2D` in one number format.
package typealias DepthwiseConv2DKernel<Arithmetic: ConvolutionArithmetic> =
  ConvolutionKernel<DepthwiseConv2DNest, Arithmetic>
