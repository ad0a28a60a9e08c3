// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The loops of an operator that sums products of activations and weights, for one image.
///
/// Each such operator has one nest for all its number formats; a `ConvolutionArithmetic` is the
/// format. An image is what is quantized as a whole in hybrid kernels: an entry of the batch, or
/// a row of a matrix.
package protocol ConvolutionNest: Sendable {
  /// At which of the node's inputs the operands are.
  static var positions: ConvolutionPositions { get }

  /// Images in the batch.
  var batchCount: Int { get }
  /// Elements of an image.
  var inputCount: Int { get }
  /// Channels of the output.
  var outputDepth: Int { get }

  /// Computes the output of image `batch`, whose activations are `input`.
  ///
  /// `filter` and `bias` are the whole operands, `bias` empty where there is none; `output` is the
  /// whole result.
  func run<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, batch: Int, input: Span<Arithmetic.Input>,
    filter: Span<Arithmetic.Filter>, bias: Span<Arithmetic.Bias>,
    output: inout MutableSpan<Arithmetic.Output>)
}

/// The inputs of a node at which a convolution's operands are.
package struct ConvolutionPositions: Sendable {
  /// Activations.
  package var input = 0
  /// Weights.
  package var filter = 1
  /// Bias; optional.
  package var bias = 2
}

extension ConvolutionNest {
  package static var positions: ConvolutionPositions { ConvolutionPositions() }
}

/// The loops of `Nest` in the number format of `Arithmetic`.
package struct ConvolutionLoop<Nest: ConvolutionNest, Arithmetic: ConvolutionArithmetic>: KernelLoop
{
  /// The number format.
  package let arithmetic: Arithmetic
  /// The loops and their bounds.
  package let nest: Nest
  /// Weights that were narrower than a byte, one to a byte; nil where the filter is read as is.
  package let unpackedFilter: TensorBytes?

  /// The loops of `nest` in the number format of `arithmetic`.
  package init(_ arithmetic: Arithmetic, _ nest: Nest, unpackedFilter: TensorBytes? = nil) {
    self.arithmetic = arithmetic
    self.nest = nest
    self.unpackedFilter = unpackedFilter
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    if let unpackedFilter {
      evaluate(frame, filter: unpackedFilter.span())
    } else {
      evaluate(frame, filter: frame.input(Nest.positions.filter))
    }
  }

  private func evaluate(_ frame: borrowing TensorFrame, filter: Span<Arithmetic.Filter>) {
    let input = frame.input(Nest.positions.input, as: Arithmetic.Input.self)
    let bias = frame.input(Nest.positions.bias, as: Arithmetic.Bias.self)
    var output = frame.output(0, as: Arithmetic.Output.self)
    for batch in 0..<nest.batchCount {
      let start = batch * nest.inputCount
      nest.run(
        arithmetic, batch: batch, input: input.extracting(start..<start + nest.inputCount),
        filter: filter, bias: bias, output: &output)
    }
  }
}

/// The kernel of `ConvolutionLoop`.
package typealias ConvolutionKernel<Nest: ConvolutionNest, Arithmetic: ConvolutionArithmetic> =
  LoopKernel<ConvolutionLoop<Nest, Arithmetic>>

extension LoopKernel {
  /// The loops of `nest` in the number format of `arithmetic`.
  package convenience init<Nest: ConvolutionNest, Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, _ nest: Nest, unpackedFilter: TensorBytes? = nil
  ) where Loop == ConvolutionLoop<Nest, Arithmetic> {
    self.init(ConvolutionLoop(arithmetic, nest, unpackedFilter: unpackedFilter))
  }
}
