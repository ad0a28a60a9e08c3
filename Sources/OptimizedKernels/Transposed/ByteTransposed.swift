// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `TRANSPOSE_CONV` of 8-bit quantized values, as a product for each of `TransposedWindows`.
///
/// Sums are exact, and become quantized values by the very rule of the reference kernel: results
/// are the same bit for bit.
final class ByteTransposed: BlockKernel {
  private let windows: TransposedWindows
  private let matrices: PackedWeights<[PackedByteMatrix]>
  /// How the sums of each part become quantized values.
  private let scalings: [ByteScaling]
  private let activations: ByteActivations
  private let kernels: ByteMicrokernels
  private let padding: AlignedMemory
  private let outputDepth: Int

  /// The transposed convolution of `loop`; nil where its weights are not constant or no fast
  /// kernel follows its format.
  init?<Activation, Weight>(
    _ loop: ConvolutionLoop<TransposeConvNest, QuantizedConvolution<Activation, Weight>>,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let (depth, columns) = (loop.nest.inputDepth, loop.nest.outputDepth)
    guard let format = ByteFormat(loop.arithmetic),
      let windows = TransposedWindows(loop.nest, elementByteCount: 1),
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: windows.tapCount * depth * columns,
        biasByteCount: columns * 4, biasInput: TransposeConvNest.positions.bias)
    else { return nil }
    self.windows = windows
    let form = WeightForm("byte transposed", set, loop.nest.parameters + format.parameters)
    matrices = weights.packed(in: cache, form: form) { allocate in
      windows.parts.map { part in
        let bias = unsafe windows.bias(of: part, weights, as: Int32.self, columns)
        return unsafe windows.withFilter(
          of: part, weights, depth, columns, converting: { (weight: UInt8) in weight }
        ) { filter in
          unsafe bias.withUnsafeBufferPointer { bias in
            unsafe PackedByteMatrix(
              ByteMatrixSource(
                weights: filter, isSigned: format.filterIsSigned,
                zeroPoint: format.filterZeroPoint, columnStride: part.tapCount * depth,
                depthStride: 1, columnCount: part.pixelCount * columns,
                depth: part.tapCount * depth, bias: bias.isEmpty ? nil : bias.baseAddress,
                activationZeroPoint: format.activations.unsignedZeroPoint), set.byte.layout,
              allocate: allocate)
          }
        }
      }
    }
    let sumBound = matrices.value.map(\.sumBound).max() ?? 0
    scalings = windows.parts.map { part in
      format.repeated(part.pixelCount).scaling(
        positions: set.byte.layout.positions(columnCount: part.pixelCount * columns),
        sumBound: sumBound)
    }
    activations = format.activations
    kernels = set.byte
    outputDepth = columns
    padding = AlignedMemory(zeroed: windows.parts.map(\.rows.tapByteCount).max() ?? 0)
    unsafe padding.address.initializeMemory(
      as: UInt8.self, repeating: activations.quantizedZero, count: padding.byteCount)
  }

  func blockCount(workerCount: Int) -> Int { windows.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(TransposeConvNest.positions.input) else { return }
    let output = unsafe frame.outputAddress(0)
    unsafe windows.forEachLine(
      input, padding: padding, workerCount: workerCount, next: next,
      tileByteCount: { kernels.layout.scratchByteCount(depth: $0) }
    ) { line in
      unsafe multiply(line, to: output + line.firstPixel * outputDepth)
    }
  }

  /// The pixels of a line.
  private func multiply(
    _ line: TransposedWindows.LocatedLine, to output: UnsafeMutableRawPointer
  ) {
    let part = unsafe windows.parts[line.part]
    let matrix = unsafe matrices.value[line.part]
    unsafe kernels.gemm(
      ByteGemmTask(
        rows: line.pointers, rowPitch: line.pitch, rowCount: part.columnCount,
        tapCount: part.rows.tapCount, depth: part.rows.tapByteCount,
        activationFlip: activations.flip, weights: matrix.panels(from: 0),
        columnCount: part.pixelCount * outputDepth,
        finish: scalings[line.part].finish(), output: output,
        outputStride: windows.pixelStep * outputDepth, scratch: line.scratch))
  }
}
