// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The loop nest of `CONV_2D`, once for all number formats.
///
///     y[b, r, c, o] = finish(Σ over taps (i, j) and channels k of
///                            x[b, r·s + i·d − p, c·s + j·d − p, k] · w[o, i, j, k])
///
/// Activations are NHWC, the filter OHWI; taps in the padding are left out of the sum. With
/// groups, output channel `o` reads the slice of input channels that belongs to its group.
/// TFLite: `reference/conv.h`, `integer_ops/conv.h`.
package final class Conv2DKernel<Arithmetic: ConvolutionArithmetic>: Kernel {
  /// The number format.
  package let arithmetic: Arithmetic
  /// The bounds of the loops.
  package let nest: Conv2DNest

  /// The loops of `nest` in the number format of `arithmetic`.
  package init(_ arithmetic: Arithmetic, _ nest: Conv2DNest) {
    self.arithmetic = arithmetic
    self.nest = nest
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Arithmetic.Input.self)
    let filter = frame.input(1, as: Arithmetic.Filter.self)
    let bias = frame.input(2, as: Arithmetic.Bias.self)
    var output = frame.output(0, as: Arithmetic.Output.self)

    let (inputDepth, groupDepth) = (nest.inputDepth, nest.groupDepth)
    let (rows, columns) = (nest.geometry.rows, nest.geometry.columns)
    var index = 0
    for batch in 0..<nest.batchCount {
      for row in 0..<rows.output {
        let rowOrigin = rows.origin(row)
        let rowTaps = rows.taps(from: rowOrigin)
        for column in 0..<columns.output {
          let columnOrigin = columns.origin(column)
          let columnTaps = columns.taps(from: columnOrigin)
          for channel in 0..<nest.outputDepth {
            let firstChannel = channel / nest.filtersPerGroup * groupDepth
            var sum = arithmetic.zero
            for rowTap in rowTaps {
              let inputRow = batch * rows.input + rowOrigin + rowTap * rows.dilation
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
}

/// The loop bounds of a `CONV_2D` node.
package struct Conv2DNest: Sendable, Hashable {
  /// How the filter slides.
  package let geometry: WindowGeometry
  /// Pictures in the batch.
  package let batchCount: Int
  /// Channels of the input.
  package let inputDepth: Int
  /// Channels of the input that one output channel reads; divides `inputDepth`.
  package let groupDepth: Int
  /// Channels of the output; a multiple of the number of groups.
  package let outputDepth: Int

  /// The output channels that read the same input channels.
  package var filtersPerGroup: Int { outputDepth / (inputDepth / groupDepth) }
}
