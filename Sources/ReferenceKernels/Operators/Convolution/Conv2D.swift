// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let conv2D = CatalogEntry(
    .conv2D, chapter: .convolution, formula: nil, versions: .upTo(8),
    variants: """
      f32 u8_q i8_pt_q i8_pc_q i8_i4w_q i16x8_q i16x8_b32_q hybrid_i8 hybrid_i8_pc \
      hybrid_i4_pc hybrid_u8 f32_rtw i8_q
      """,
    optimized: """
      f32 f32_rtw hybrid_i4_pc hybrid_i8 hybrid_i8_pc hybrid_u8 i16x8_b32_q i16x8_q i8_i4w_q \
      i8_pc_q i8_pt_q i8_q u8_q
      """,
    work: .products { types in
      // Filter: output depth × height × width × depth of a group.
      types.products(
        each: types.output(0), types.dimensions(ofInput: 1, rank: 4)?.dropFirst())
    }, reads: .everything
  ) { node throws(KernelError) in Conv2D(options: try node.options()) }
}

/// `CONV_2D`: a window of weights slides over an image; see `Conv2DNest` for the formula.
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
    let (input, filter) = (try node.image(0), try node.image(1))
    guard input.dimensions.dropFirst().allSatisfy({ $0 > 0 }), filter.elementCount > 0 else {
      throw .invalid("empty image or filter: \(input) by \(filter)")
    }
    let (inputDepth, groupDepth, outputDepth) = (input[3], filter[3], filter[0])
    guard inputDepth % groupDepth == 0, outputDepth % (inputDepth / groupDepth) == 0 else {
      throw .invalid("\(filter) filter for \(inputDepth) channels", .input(1))
    }
    _ = try node.input(2)
    let geometry = WindowGeometry(
      rows: try WindowAxis(
        input: input[1], window: filter[1], stride: Int(options.strideHeight),
        dilation: Int(options.dilationHeight), padding: options.padding),
      columns: try WindowAxis(
        input: input[2], window: filter[2], stride: Int(options.strideWidth),
        dilation: Int(options.dilationWidth), padding: options.padding))
    let nest = Conv2DNest(
      geometry: geometry, batchCount: input[0], inputDepth: inputDepth, groupDepth: groupDepth,
      outputDepth: outputDepth)
    let formats = ConvolutionFormats(
      node, activation: options.fusedActivation, outputDepth: outputDepth, isProduct: true)
    return try formats.prepared(
      nest,
      shape: Shape.checked([
        input[0], geometry.rows.output, geometry.columns.output, outputDepth,
      ]),
      hybrid: try hybridRule(node, hasGroups: inputDepth != groupDepth),
      biasType: options.quantizedBiasType)
  }

  /// Weights whose channels differ in scale, and groups, have activations with a zero point.
  private func hybridRule(
    _ node: PrepareContext, hasGroups: Bool
  ) throws(KernelError) -> ConvolutionFormats.HybridRule {
    let filter = try node.input(1)
    var isPerChannel = false
    if filter.elementType != .uint8, let scales = filter.quantization?.scales {
      isPerChannel = scales.contains { $0 != scales[0] }
    }
    return isPerChannel || hasGroups
      ? ConvolutionFormats.HybridRule(
        quantization: .asymmetric, scaling: .inTurn, acceptsUInt8: true)
      : ConvolutionFormats.HybridRule(
        quantization: .symmetric, scaling: .byProduct, acceptsUInt8: true)
  }
}

extension PrepareContext {
  /// The shape of an input that must have four axes.
  ///
  /// - Throws: `KernelError` for another rank.
  func image(_ position: Int) throws(KernelError) -> Shape {
    let shape = try input(position).shape
    guard shape.rank == 4 else { throw .rank(shape.rank, wanted: "4", .input(position)) }
    return shape
  }
}

/// The loop nest of `CONV_2D`, once for all number formats.
///
///     y[b, r, c, o] = finish(Σ over taps (i, j) and channels k of
///                            x[b, r·s + i·d − p, c·s + j·d − p, k] · w[o, i, j, k])
///
/// Activations are NHWC, the filter OHWI; taps in the padding are left out of the sum. With
/// groups, output channel `o` reads the slice of input channels that belongs to its group.
/// TFLite: `reference/conv.h`, `integer_ops/conv.h`.
package struct Conv2DNest: ConvolutionNest, Hashable {
  /// How the filter slides.
  package var geometry: WindowGeometry
  /// Images in the batch.
  package let batchCount: Int
  /// Channels of the input.
  package let inputDepth: Int
  /// Channels of the input that one output channel reads; divides `inputDepth`.
  package let groupDepth: Int
  /// Channels of the output; a multiple of the number of groups.
  package let outputDepth: Int

  /// A convolution of these parts.
  package init(
    geometry: WindowGeometry, batchCount: Int, inputDepth: Int, groupDepth: Int, outputDepth: Int
  ) {
    self.geometry = geometry
    self.batchCount = batchCount
    self.inputDepth = inputDepth
    self.groupDepth = groupDepth
    self.outputDepth = outputDepth
  }

  package var inputCount: Int { geometry.inputCount * inputDepth }

  /// The output channels that read the same input channels.
  package var filtersPerGroup: Int { outputDepth / (inputDepth / groupDepth) }

  @_lifetime(output: copy output)
  package func run<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, batch: Int, input: Span<Arithmetic.Input>,
    filter: Span<Arithmetic.Filter>, bias: Span<Arithmetic.Bias>,
    output: inout MutableSpan<Arithmetic.Output>, _ meter: inout WorkMeter
  ) throws(KernelError) {
    let (rows, columns) = (geometry.rows, geometry.columns)
    let joinsTaps = columns.dilation == 1 && groupDepth == inputDepth
    var index = batch * geometry.outputCount * outputDepth
    for row in 0..<rows.output {
      let rowOrigin = rows.origin(row)
      let rowTaps = rows.taps(from: rowOrigin)
      for column in 0..<columns.output {
        let columnOrigin = columns.origin(column)
        let columnTaps = columns.taps(from: columnOrigin)
        // Taps beside each other whose channels are too, in the input and in the filter, are one run.
        let runLength = joinsTaps ? max(columnTaps.count, 1) : 1
        for channel in 0..<outputDepth {
          let firstChannel = channel / filtersPerGroup * groupDepth
          var sum = arithmetic.start(channel: channel)
          for rowTap in rowTaps {
            let inputRow = rowOrigin + rowTap * rows.dilation
            for columnTap in stride(
              from: columnTaps.lowerBound, to: columnTaps.upperBound, by: runLength)
            {
              let inputColumn = columnOrigin + columnTap * columns.dilation
              let from = (inputRow * columns.input + inputColumn) * inputDepth + firstChannel
              let tap = (channel * rows.window + rowTap) * columns.window + columnTap
              let values = input.extracting(from..<from + runLength * groupDepth)
              let weights = filter.extracting(tap * groupDepth..<(tap + runLength) * groupDepth)
              for k in weights.indices { arithmetic.accumulate(&sum, values[k], weights[k]) }
            }
          }
          output[index] = arithmetic.finish(
            sum, bias: bias.isEmpty ? nil : bias[channel], channel: channel)
          index += 1
        }
        try meter.add(outputDepth * rowTaps.count * columnTaps.count * groupDepth)
      }
    }
  }
}

/// `CONV_2D` in one number format.
package typealias Conv2DKernel<Arithmetic: ConvolutionArithmetic> =
  ConvolutionKernel<Conv2DNest, Arithmetic>
