// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Rows of floats times constant weights, with a bias and limits: `CONV_2D`, `FULLY_CONNECTED`.
///
///     y[r, n] = clamp(bias[n] + Σ over k of x[r, k] · w[k, n])
///
/// With groups, each multiplies its own part of every row with its own weights. Sums start at the
/// bias where the reference adds it last, which is all that makes results differ.
final class FloatProduct: RegionKernel {
  private let rows: ProductRows
  private let groups: PackedWeights<[PackedFloatMatrix]>
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels
  private let padding: AlignedMemory
  private let cuts: ProductCuts
  /// The memory for one worker.
  private let singleMemory: WorkerMemory

  /// The product of `rows` and the matrix of each group.
  init(
    _ rows: ProductRows, _ groups: PackedWeights<[PackedFloatMatrix]>, columnCount: Int,
    range: ActivationRange<Float>, kernels: FloatMicrokernels
  ) {
    self.rows = rows
    self.groups = groups
    self.range = range
    self.kernels = kernels
    padding = AlignedMemory(zeroed: rows.tapByteCount)
    let layout = kernels.layout
    cuts = ProductCuts(
      ProductSize(
        rowCount: rows.rowCount, columnCount: columnCount, tapCount: rows.tapCount,
        tileRows: layout.tileRows, panelWidth: layout.panelWidth,
        panelByteCount: layout.panelByteCount(depth: rows.tapCount * rows.tapByteCount / 4)))
    singleMemory = Self.memory(
      rows, rowStep: cuts.blocks(workerCount: 1).rowStep, layout)
  }

  /// The memory for blocks of up to `rowStep` rows, with a tile's where rows are copied.
  private static func memory(
    _ rows: ProductRows, rowStep: Int, _ layout: FloatGemmLayout
  ) -> WorkerMemory {
    let depth = rows.tapByteCount / 4
    let copies = layout.prefersCopies(depth: depth, tapCount: rows.tapCount)
    return WorkerMemory(
      rows, rowStep: rowStep,
      tileByteCount: copies ? layout.scratchByteCount(depth: rows.tapCount * depth) : 0)
  }

  func blockCount(workerCount: Int) -> Int {
    groups.value.count * cuts.blocks(workerCount: workerCount).count
  }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    cuts.blocks(workerCount: workerCount).forEachRun(
      of: block, groupCount: groups.value.count, body)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blocks = cuts.blocks(workerCount: workerCount)
    let depth = rows.tapByteCount / 4
    let memory =
      workerCount == 1
      ? singleMemory : Self.memory(rows, rowStep: blocks.rowStep, kernels.layout)
    let copies = memory.tileByteCount > 0
    unsafe memory.use { parts in
      while let block = next() {
        let group = block / blocks.count
        let (rowRange, columns) = (
          blocks.rows(block % blocks.count), blocks.columns(block % blocks.count)
        )
        unsafe rows.locate(
          rowRange, input: input + group * rows.tapByteCount,
          padding: UnsafeRawPointer(padding.address), pointers: parts.pointers,
          spill: parts.spill)
        let stride = groups.value.count * cuts.size.columnCount
        let first =
          rowRange.lowerBound * stride + group * cuts.size.columnCount + columns.lowerBound
        let pointers = unsafe UnsafeRawPointer(parts.pointers)
          .assumingMemoryBound(to: UnsafePointer<Float>.self)
        unsafe kernels.gemm(
          FloatGemmTask(
            rows: pointers, rowPitch: rowRange.count, rowCount: rowRange.count,
            tapCount: rows.tapCount, depth: depth,
            weights: groups.value[group].panel(from: columns.lowerBound),
            columnCount: columns.count, output: output + first, outputStride: stride,
            lowest: range.lowest, highest: range.highest, scratch: copies ? parts.tile : nil))
      }
    }
  }
}
