// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Floats, quantized at every evaluation, times constant integer weights: hybrid `CONV_2D` and
/// `FULLY_CONNECTED`.
///
/// Quantization and sums are exactly the reference kernel's, and so is the order of the float
/// operations that follow: results are the same bit for bit.
@safe
final class HybridProduct: HybridKernel {
  private let format: HybridFormat
  private let rows: ProductRows
  private let matrix: PackedWeights<PackedByteMatrix>
  /// The same as blocks count it.
  private let matrices: [PackedByteMatrix]
  private let kernels: ByteMicrokernels
  let images: HybridImages
  private let cuts: ProductCuts
  /// The product of a single row, as far as it is the same in every run, which keeps `uncountedRow`;
  /// nil where there are several rows, or several blocks for one worker.
  private let row: ByteSingleRow?
  /// That row, to which runs count no references.
  private let uncountedRow: Unmanaged<ByteSingleRow>?
  private let rowMemory: WorkerMemory

  /// The product of images with `matrix`; `rows` are those of one image, or all rows where
  /// each is an image of its own.
  init(
    _ rows: ProductRows, _ matrix: PackedWeights<PackedByteMatrix>, _ format: HybridFormat,
    images: HybridImages, kernels: ByteMicrokernels
  ) {
    self.rows = rows
    self.matrix = matrix
    matrices = [matrix.value]
    self.format = format
    self.kernels = kernels
    self.images = images
    cuts = ProductCuts(
      ProductSize(rows, columnCount: matrix.value.columnCount, kernels.layout))
    let isWhole = images.productCount * cuts.blocks(workerCount: 1).count == 1
    row =
      isWhole && rows.rowCount == 1
      ? unsafe kernels.singleRow(of: rows, by: matrix.value.panels(from: 0), cuts.size) : nil
    unsafe uncountedRow = row.map { unsafe .passUnretained($0) }
    rowMemory = WorkerMemory(
      rows, rowStep: 1,
      tileByteCount: kernels.layout.scratchByteCount(
        depth: rows.tapCount * rows.tapByteCount, rowCount: 1))
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    guard let row = unsafe uncountedRow else { return try evaluateBlocks(frame) }
    begin(frame)
    let (locations, output) = unsafe (images.locations(frame), frame.outputAddress(0))
    unsafe rowMemory.use { parts in
      unsafe rows.locate(
        0..<1, input: locations.quantizedValues, padding: locations.padding,
        pointers: parts.pointers, spill: parts.spill)
      unsafe row._withUnsafeGuaranteedRef {
        unsafe kernels.multiply(
          $0, UnsafePointer(parts.pointers), to: output, scratch: parts.tile)
      }
    }
    unsafe format.finish(
      output, 0..<cuts.size.columnCount, locations.affine(0), kernels.hybrid)
  }

  func blockCount(workerCount: Int) -> Int {
    images.productCount * cuts.blocks(workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let locations = unsafe images.locations(frame)
    let output = unsafe frame.outputAddress(0)
    let (blocks, size) = (cuts.blocks(workerCount: workerCount), cuts.size)
    let memory = WorkerMemory(
      rows, rowStep: blocks.rowStep,
      tileByteCount: kernels.layout.scratchByteCount(
        depth: rows.tapCount * rows.tapByteCount, rowCount: blocks.rowStep),
      weightByteCount: unsafe BlockWeights.byteCount(matrices, blocks))
    unsafe memory.use { parts in
      var weights = unsafe BlockWeights(memory: parts.weights)
      while let block = next() {
        let product = block / blocks.count
        let (rowRange, columns) = (
          blocks.rows(block % blocks.count), blocks.columns(block % blocks.count)
        )
        unsafe rows.locate(
          rowRange, input: locations.quantizedValues + product * images.elementCount,
          padding: locations.padding + product * images.paddingByteCount,
          pointers: parts.pointers, spill: parts.spill)
        // Sums take as many bytes as the results that they become in place.
        let row = product * size.rowCount + rowRange.lowerBound
        let first = unsafe output + (row * size.columnCount + columns.lowerBound) * 4
        unsafe kernels.multiply(
          rows, count: rowRange.count, parts,
          by: weights.panels(of: matrix.value, columns, rowCount: rowRange.count, kernels),
          columnCount: columns.count, to: first, stride: size.columnCount * 4)
        let stride = size.columnCount * 4
        guard images.isByRow else {
          unsafe format.finish(
            first, rowCount: rowRange.count, stride: stride, columns,
            locations.affine(product), kernels.hybrid)
          continue
        }
        for index in 0..<rowRange.count {
          unsafe format.finish(
            first + index * stride, columns, locations.affine(row + index), kernels.hybrid)
        }
      }
    }
  }
}
