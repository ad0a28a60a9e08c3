// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension TransposedWindows {
  /// The weights that `part` meets, as `convert` makes them, packed with the bias.
  func packed<Weight: BitwiseCopyable>(
    _ part: Part, of weights: ConstantWeights, _ depth: Int, _ columnCount: Int,
    _ layout: FloatGemmLayout, _ allocate: AlignedMemory.Allocation,
    _ convert: (Weight) -> Float
  ) -> PackedFloatMatrix {
    let bias = unsafe bias(of: part, weights, as: Float.self, columnCount)
    return unsafe withFilter(of: part, weights, depth, columnCount, converting: convert) {
      filter in
      unsafe bias.withUnsafeBufferPointer { bias in
        unsafe PackedFloatMatrix(
          FloatMatrixSource(
            weights: filter, columnStride: part.tapCount * depth, depthStride: 1,
            columnCount: part.pixelCount * columnCount, depth: part.tapCount * depth,
            bias: bias.isEmpty ? nil : bias.baseAddress),
          layout, allocate: allocate)
      }
    }
  }

  /// Writes the pixels of a line to where they belong behind `output`.
  func multiply(
    _ line: LocatedLine, by matrices: [PackedFloatMatrix], _ kernels: FloatMicrokernels,
    outputDepth: Int, _ range: ActivationRange<Float>, _ scaling: FloatProductScaling?,
    to output: UnsafeMutablePointer<Float>
  ) {
    let part = unsafe parts[line.part]
    let depth = part.rows.tapByteCount / 4
    let columnCount = part.pixelCount * outputDepth
    let copies = kernels.layout.prefersCopies(
      depth: depth, tapCount: part.rows.tapCount, columnCount: columnCount)
    let task = unsafe FloatGemmTask(
      rows: UnsafeRawPointer(line.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self),
      rowPitch: line.pitch, rowCount: part.columnCount, tapCount: part.rows.tapCount,
      depth: depth, weights: matrices[line.part].panel(from: 0),
      columnCount: columnCount, output: output + line.firstPixel * outputDepth,
      outputStride: pixelStep * outputDepth,
      lowest: range.lowest, highest: range.highest, scratch: copies ? line.scratch : nil)
    if let scaling = unsafe scaling {
      unsafe kernels.gemm(task, scaling)
    } else {
      unsafe kernels.gemm(task)
    }
  }
}
