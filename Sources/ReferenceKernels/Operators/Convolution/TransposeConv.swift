// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let transposeConv = CatalogEntry(
    .transposeConv, chapter: .convolution, formula: nil, versions: .upTo(5),
    variants: "f32 u8_q i8_pt_q i8_pc_q i16x8_q i16x8_b32_q hybrid_i8 hybrid_i8_pc i8_q",
    optimized: "f32 hybrid_i8 hybrid_i8_pc i8_pc_q i8_pt_q i8_q u8_q",
    work: .products { types in
      // Each element of the input meets the whole filter: output depth × height × width × depth.
      types.products(
        each: types.input(2), types.dimensions(ofInput: 1, rank: 4)?.dropLast())
    }, reads: .everything
  ) { node throws(KernelError) in TransposeConv(options: try node.options()) }
}

/// `TRANSPOSE_CONV`: every activation spreads a window of weights over the output; see
/// `TransposeConvNest` for the formula.
///
/// - Input 0: the output's shape, int32.
/// - Input 1: filter, `[output depth, height, width, depth]`.
/// - Input 2: activations, `[batch, height, width, depth]`.
/// - Input 3: bias, `[output depth]`; optional.
/// - Output: `[batch, output height, output width, output depth]`.
///
/// A convolution with these options, applied to the output, must give the activations' height and
/// width. TFLite: `transpose_conv.cc`.
struct TransposeConv: Operator {
  let options: TransposeConvOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...4)
    let (filter, input) = (try node.image(1), try node.image(2))
    let wanted = try node.values(0, as: Int32.self).map(Int.init)
    guard wanted.count == 4 else {
      throw .invalid("\(wanted.count) output dimensions, wanted 4", .input(0))
    }
    let shape = try Shape.checked(wanted, .input(0))
    guard input.dimensions.dropFirst().allSatisfy({ $0 > 0 }), filter.elementCount > 0 else {
      throw .invalid("empty image or filter: \(input) by \(filter)")
    }
    guard filter[3] == input[3] else {
      throw .invalid("\(filter) filter for \(input[3]) channels", .input(1))
    }
    let geometry = WindowGeometry(
      rows: try WindowAxis(
        input: shape[1], window: filter[1], stride: Int(options.strideHeight), dilation: 1,
        padding: options.padding),
      columns: try WindowAxis(
        input: shape[2], window: filter[2], stride: Int(options.strideWidth), dilation: 1,
        padding: options.padding))
    guard shape[0] == input[0], shape[1] > 0, shape[2] > 0, shape[3] == filter[0],
      geometry.rows.output == input[1], geometry.columns.output == input[2]
    else { throw .invalid("output \(shape) from \(input) by \(filter)", .input(0)) }
    let nest = TransposeConvNest(
      geometry: geometry, batchCount: input[0], inputDepth: input[3], outputDepth: filter[0])
    let formats = ConvolutionFormats(
      node, activation: options.fusedActivation, outputDepth: filter[0],
      positions: TransposeConvNest.positions)
    return try formats.prepared(
      nest, shape: shape, hybrid: ConvolutionFormats.HybridRule(scalesProducts: true),
      biasType: options.quantizedBiasType)
  }
}

/// The loop nest of `TRANSPOSE_CONV`, once for all number formats.
///
///     y[b, i, j, o] = finish(Σ over positions (r, c) whose window contains (i, j) and channels k of
///                            x[b, r, c, k] · w[o, i − r·s + p, j − c·s + p, k])
///
/// TFLite scatters, adding each activation's products to the output; here every output gathers
/// its products, in the same order, so that float sums round alike.
/// TFLite: `reference/transpose_conv.h`, `integer_ops/transpose_conv.h`.
package struct TransposeConvNest: ConvolutionNest, Hashable {
  /// The convolution whose transpose this is: it slides over the output, and its positions are
  /// the activations.
  package let geometry: WindowGeometry
  /// Images in the batch.
  package let batchCount: Int
  /// Channels of the activations.
  package let inputDepth: Int
  /// Channels of the output.
  package let outputDepth: Int

  package static var positions: ConvolutionPositions {
    ConvolutionPositions(input: 2, filter: 1, bias: 3)
  }

  package var inputCount: Int { geometry.outputCount * inputDepth }

  @_lifetime(output: copy output)
  package func run<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, batch: Int, input: Span<Arithmetic.Input>,
    filter: Span<Arithmetic.Filter>, bias: Span<Arithmetic.Bias>,
    output: inout MutableSpan<Arithmetic.Output>, _ meter: inout WorkMeter
  ) throws(KernelError) {
    let (rows, columns) = (geometry.rows, geometry.columns)
    var index = batch * geometry.inputCount * outputDepth
    for row in 0..<rows.input {
      let rowPositions = rows.positions(containing: row)
      for column in 0..<columns.input {
        let columnPositions = columns.positions(containing: column)
        for channel in 0..<outputDepth {
          var sum = arithmetic.start(channel: channel)
          for inputRow in rowPositions {
            let rowTap = rows.tap(on: row, at: inputRow)
            for inputColumn in columnPositions {
              let columnTap = columns.tap(on: column, at: inputColumn)
              let from = (inputRow * columns.output + inputColumn) * inputDepth
              let tap = (channel * rows.window + rowTap) * columns.window + columnTap
              let values = input.extracting(from..<from + inputDepth)
              let weights = filter.extracting(tap * inputDepth..<(tap + 1) * inputDepth)
              for k in 0..<inputDepth { arithmetic.accumulate(&sum, values[k], weights[k]) }
            }
          }
          output[index] = arithmetic.finish(
            sum, bias: bias.isEmpty ? nil : bias[channel], channel: channel)
          index += 1
        }
        try meter.add(outputDepth * rowPositions.count * columnPositions.count * inputDepth)
      }
    }
  }
}

/// `TRANSPOSE_CONV` in one number format.
package typealias TransposeConvKernel<Arithmetic: ConvolutionArithmetic> =
  ConvolutionKernel<TransposeConvNest, Arithmetic>
