// SPDX-License-Identifier: Apache-2.0

import Tensors

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

  package var inputCount: Int { geometry.inputCount * inputDepth }

  /// The output channels that read the same input channels.
  package var filtersPerGroup: Int { outputDepth / (inputDepth / groupDepth) }

  package func run<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, batch: Int, input: Span<Arithmetic.Input>,
    filter: Span<Arithmetic.Filter>, bias: Span<Arithmetic.Bias>,
    output: inout MutableSpan<Arithmetic.Output>
  ) {
    let (rows, columns) = (geometry.rows, geometry.columns)
    var index = batch * geometry.outputCount * outputDepth
    for row in 0..<rows.output {
      let rowOrigin = rows.origin(row)
      let rowTaps = rows.taps(from: rowOrigin)
      for column in 0..<columns.output {
        let columnOrigin = columns.origin(column)
        let columnTaps = columns.taps(from: columnOrigin)
        for channel in 0..<outputDepth {
          let firstChannel = channel / filtersPerGroup * groupDepth
          var sum = arithmetic.start(channel: channel)
          for rowTap in rowTaps {
            let inputRow = rowOrigin + rowTap * rows.dilation
            for columnTap in columnTaps {
              let inputColumn = columnOrigin + columnTap * columns.dilation
              let from = (inputRow * columns.input + inputColumn) * inputDepth + firstChannel
              let tap = (channel * rows.window + rowTap) * columns.window + columnTap
              let values = input.extracting(from..<from + groupDepth)
              let weights = filter.extracting(tap * groupDepth..<(tap + 1) * groupDepth)
              for k in 0..<groupDepth { arithmetic.accumulate(&sum, values[k], weights[k]) }
            }
          }
          output[index] = arithmetic.finish(
            sum, bias: bias.isEmpty ? nil : bias[channel], channel: channel)
          index += 1
        }
      }
    }
  }
}

/// `CONV_2D` in one number format.
package typealias Conv2DKernel<Arithmetic: ConvolutionArithmetic> =
  ConvolutionKernel<Conv2DNest, Arithmetic>
