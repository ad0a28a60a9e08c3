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
  private let groups: ByteProduct.Matrices
  private let kernels: ByteMicrokernels
  let images: HybridImages
  private let cuts: ProductCuts
  /// The product of a single row, as far as it is the same in every run, which keeps `uncountedRow`;
  /// nil where there are several rows, or several blocks for one worker.
  private let row: ByteSingleRow?
  /// That row, to which runs count no references.
  private let uncountedRow: Unmanaged<ByteSingleRow>?
  private let rowMemory: WorkerMemory

  /// The product of images with the matrix of each group, of `columnCount` columns; `rows` are those
  /// of one image, or all rows where each is an image of its own.
  init(
    _ rows: ProductRows, _ groups: ByteProduct.Matrices, columnCount: Int, _ format: HybridFormat,
    images: HybridImages, kernels: ByteMicrokernels
  ) {
    self.rows = rows
    self.groups = groups
    self.format = format
    self.kernels = kernels
    self.images = images
    cuts = ProductCuts(ProductSize(rows, columnCount: columnCount, kernels.layout))
    let blockCount = cuts.blocks(workerCount: 1).count
    let isWhole = images.productCount * groups.value.count * blockCount == 1
    row =
      isWhole && rows.rowCount == 1
      ? unsafe kernels.singleRow(of: rows, by: groups.value[0].panels(from: 0), cuts.size) : nil
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

  private var groupCount: Int { groups.value.count }

  func blockCount(workerCount: Int) -> Int {
    images.productCount * groupCount * cuts.blocks(workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let locations = unsafe images.locations(frame)
    let output = unsafe frame.outputAddress(0)
    let (blocks, size) = (cuts.blocks(workerCount: workerCount), cuts.size)
    let memory = WorkerMemory(
      rows, rowStep: blocks.rowStep,
      tileByteCount: kernels.layout.scratchByteCount(
        depth: rows.tapCount * rows.tapByteCount, rowCount: blocks.rowStep),
      weightByteCount: unsafe BlockWeights.byteCount(groups.value, blocks))
    unsafe memory.use { parts in
      var weights = unsafe BlockWeights(memory: parts.weights)
      while let block = next() {
        let (index, part) = block.quotientAndRemainder(dividingBy: blocks.count)
        let (product, group) = index.quotientAndRemainder(dividingBy: groupCount)
        let (rowRange, columnRange) = (blocks.rows(part), blocks.columns(part))
        let image = unsafe locations.quantizedValues + product * images.elementCount
        unsafe rows.locate(
          rowRange, input: image + group * rows.tapByteCount,
          padding: locations.padding + product * images.paddingByteCount,
          pointers: parts.pointers, spill: parts.spill)
        let panels = unsafe weights.panels(
          of: groups.value[group], group: group, columnRange, rowCount: rowRange.count, kernels)
        // Sums take as many bytes as the results that they become in place.
        let row = product * size.rowCount + rowRange.lowerBound
        let origin = group * size.columnCount
        let columns = origin + columnRange.lowerBound..<origin + columnRange.upperBound
        let stride = groupCount * size.columnCount * 4
        let first = unsafe output + (row * stride + columns.lowerBound * 4)
        unsafe kernels.multiply(
          rows, count: rowRange.count, parts, by: panels, columnCount: columns.count, to: first,
          stride: stride
        ) { part, first in
          guard images.isByRow else {
            unsafe format.finish(
              first, rowCount: part.count, stride: stride, columns, locations.affine(product),
              kernels.hybrid)
            return
          }
          unsafe format.finish(
            first, rowCount: part.count, stride: stride, columns,
            each: locations.affines(from: row + part.lowerBound), kernels.hybrid)
        }
      }
    }
  }
}
