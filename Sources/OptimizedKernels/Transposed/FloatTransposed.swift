// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `TRANSPOSE_CONV` of floats, as a product for each of `TransposedWindows`.
///
/// Sums start at the bias where the reference adds it last, which is all that makes results
/// differ.
final class FloatTransposed: BlockKernel {
  private let windows: TransposedWindows
  private let matrices: PackedWeights<[PackedFloatMatrix]>
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels
  private let padding: AlignedMemory
  private let inputIndex: Int
  private let outputDepth: Int

  /// The transposed convolution of `nest`; nil where its weights are not constant.
  init?(
    _ nest: TransposeConvNest, _ positions: ConvolutionPositions, _ arithmetic: FloatConvolution,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let (depth, columns) = (nest.inputDepth, nest.outputDepth)
    guard let windows = TransposedWindows(nest, elementByteCount: 4),
      let weights = ConstantWeights(
        node, filterByteCount: windows.tapCount * depth * columns * 4, biasByteCount: columns * 4,
        biasInput: positions.bias)
    else { return nil }
    self.windows = windows
    let form = WeightForm("float transposed", set, nest.parameters)
    matrices = weights.packed(in: cache, form: form) { allocate in
      windows.parts.map { part in
        windows.packed(part, of: weights, depth, columns, set.float.layout, allocate) {
          (weight: Float) in weight
        }
      }
    }
    range = arithmetic.range
    kernels = set.float
    inputIndex = positions.input
    outputDepth = columns
    padding = AlignedMemory(zeroed: windows.parts.map(\.rows.tapByteCount).max() ?? 0)
  }

  func blockCount(workerCount: Int) -> Int { windows.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(inputIndex) else { return }
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    unsafe windows.forEachLine(
      input, padding: padding, workerCount: workerCount, next: next,
      tileByteCount: { kernels.layout.scratchByteCount(depth: $0 / 4) }
    ) { line in
      unsafe windows.multiply(
        line, by: matrices.value, kernels, outputDepth: outputDepth, range, nil, to: output)
    }
  }
}
