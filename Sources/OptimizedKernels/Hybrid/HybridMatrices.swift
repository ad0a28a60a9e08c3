// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `BATCH_MATMUL` of floats, quantized row by row at every evaluation, and constant int8 matrices.
///
/// Sums are exactly the reference kernel's, and so is the order of the float operations that
/// follow: results are the same bit for bit.
final class HybridMatrices: HybridKernel {
  private typealias Operand = HybridBatchMatMulKernel.Operand

  /// The matrices of each product.
  private let pairs: [(left: Operand, right: Operand)]
  private let matrices: PackedWeights<[PackedByteMatrix]>
  /// How sums become floats with the sums of each right matrix' columns.
  private let formats: [HybridFormat]
  let images: HybridImages
  private let rows: ProductRows
  private let size: ProductSize
  private let kernels: ByteMicrokernels

  /// The products of `kernel`; nil where right matrices are not constant, or left ones are stored
  /// column by column.
  init?(
    _ kernel: HybridBatchMatMulKernel, _ node: PrepareContext, _ cache: WeightCache,
    _ set: MicrokernelSet
  ) {
    let nest = kernel.nest
    let count = nest.rightBatch.elementCount
    guard !nest.storesLeftColumns, MatrixPair.canList(nest),
      let weights = ConstantWeights(
        node, filterByteCount: count * nest.depth * nest.columnCount, biasByteCount: 0)
    else { return nil }
    pairs = (0..<nest.pairs.shape.elementCount).map { kernel.pair($0) }
    let form = WeightForm("hybrid matrices", set, nest.parameters)
    matrices = weights.packed(in: cache, form: form) { allocate in
      // Quantized values are signed and their zero points vary: these come in with the columns'
      // sums.
      (0..<count).map {
        unsafe nest.packedRight(
          $0, from: weights.filterAddress(as: UInt8.self), zeroPoint: 0, activationZeroPoint: 128,
          set, allocate)
      }
    }
    formats = matrices.value.map {
      HybridFormat(
        kernel.arithmetic, weights, columnSums: $0.columnSums, subtraction: .rounded)
    }
    images = HybridImages(
      count: nest.leftBatch.elementCount * nest.rowCount, elementCount: nest.depth, isByRow: true,
      paddingByteCount: 0, quantization: kernel.quantization, kernels: set.byte.hybrid)
    rows = ProductRows(rowCount: nest.rowCount, rowByteCount: nest.depth)
    size = ProductSize(rows, columnCount: nest.columnCount, set.byte.layout)
    kernels = set.byte
  }

  /// Bytes of the scratch tensors.
  var scratch: [Int] { images.scratch }

  func blockCount(workerCount: Int) -> Int {
    pairs.count * ProductBlocks(size, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let locations = unsafe images.locations(frame)
    let output = unsafe frame.outputAddress(0)
    let blocks = ProductBlocks(size, workerCount: workerCount)
    let memory = WorkerMemory(
      rows, rowStep: blocks.rowStep,
      tileByteCount: kernels.layout.scratchByteCount(depth: rows.tapByteCount))
    unsafe memory.use { parts in
      while let block = next() {
        let (product, part) = block.quotientAndRemainder(dividingBy: blocks.count)
        let (rowRange, columns) = (blocks.rows(part), blocks.columns(part))
        let pair = pairs[product]
        let left =
          unsafe locations.quantizedValues + pair.left.index * size.rowCount * rows.tapByteCount
        unsafe rows.locate(
          rowRange, input: left, padding: left, pointers: parts.pointers, spill: parts.spill)
        // Sums take as many bytes as the results that they become in place.
        let row = product * size.rowCount + rowRange.lowerBound
        let first = unsafe output + (row * size.columnCount + columns.lowerBound) * 4
        let firstLocation = pair.left.location * size.rowCount + rowRange.lowerBound
        unsafe kernels.multiply(
          rows, count: rowRange.count, parts,
          by: matrices.value[pair.right.index].panels(from: columns.lowerBound),
          columnCount: columns.count, to: first, stride: size.columnCount * 4
        ) { part, first in
          unsafe formats[pair.right.location].finish(
            first, rowCount: part.count, stride: size.columnCount * 4, columns,
            each: locations.affines(from: firstLocation + part.lowerBound), kernels.hybrid)
        }
      }
    }
  }
}
