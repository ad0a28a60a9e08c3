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
@safe
final class FloatProduct: PixelProduct {
  let rows: ProductRows
  private let groups: PackedWeights<[PackedFloatMatrix]>
  /// Where the matrices start.
  ///
  /// To take a matrix out of its array is to count references to it, which
  /// all workers would do at once.
  private nonisolated(unsafe) let panels: [UnsafeRawPointer]
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels
  private let padding: AlignedMemory
  let cuts: ProductCuts
  /// Whether rows are copied before they are multiplied.
  private let copies: Bool
  /// The memory for one worker.
  private let singleMemory: WorkerMemory
  /// Whether one worker has a single block.
  private let isWhole: Bool

  /// The product of `rows` and the matrix of each group.
  init(
    _ rows: ProductRows, _ groups: PackedWeights<[PackedFloatMatrix]>, columnCount: Int,
    range: ActivationRange<Float>, kernels: FloatMicrokernels
  ) {
    self.rows = rows
    self.groups = groups
    unsafe panels = groups.value.map { unsafe $0.panel(from: 0) }
    self.range = range
    self.kernels = kernels
    padding = AlignedMemory(zeroed: groups.value.count * rows.tapByteCount)
    let layout = kernels.layout
    cuts = ProductCuts(
      ProductSize(
        rowCount: rows.rowCount, columnCount: columnCount, tapCount: rows.tapCount,
        tileRows: layout.tileRows, panelWidth: layout.panelWidth, laneCount: layout.laneCount,
        panelByteCount: layout.panelByteCount(depth: rows.tapCount * rows.tapByteCount / 4)))
    let single = cuts.blocks(workerCount: 1)
    copies = layout.prefersCopies(
      depth: rows.tapByteCount / 4, tapCount: rows.tapCount, columnCount: columnCount)
    singleMemory = Self.memory(rows, rowStep: single.rowStep, copies: copies, layout)
    isWhole = groups.value.count == 1 && single.count == 1
  }

  /// The memory for blocks of up to `rowStep` rows, with a tile's where rows are copied.
  private static func memory(
    _ rows: ProductRows, rowStep: Int, copies: Bool, _ layout: FloatGemmLayout
  ) -> WorkerMemory {
    WorkerMemory(
      rows, rowStep: rowStep,
      tileByteCount: copies
        ? layout.scratchByteCount(depth: rows.tapCount * rows.tapByteCount / 4) : 0)
  }

  var groupCount: Int { groups.value.count }
  var elementByteCount: Int { 4 }

  func blockCount(workerCount: Int) -> Int {
    groupCount * cuts.blocks(workerCount: workerCount).count
  }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    cuts.blocks(workerCount: workerCount).forEachRun(
      of: block, groupCount: groupCount, body)
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    guard isWhole else { return try evaluateBlocks(frame) }
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    unsafe singleMemory.use { parts in
      unsafe multiply(0..<rows.rowCount, input: input, output: output, parts)
    }
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = cuts.blocks(workerCount: workerCount)
    let memory = workerCount == 1 ? singleMemory : memory(rowStep: blocks.rowStep)
    unsafe memory.use { parts in
      var located = LocatedRows()
      while let block = next() {
        let (part, group) = block.quotientAndRemainder(dividingBy: groupCount)
        unsafe multiply(
          blocks.rows(part), &located, blocks.columns(part), group: group, input: input,
          output: output, parts)
      }
    }
  }

  func memory(rowStep: Int) -> WorkerMemory {
    Self.memory(rows, rowStep: rowStep, copies: copies, kernels.layout)
  }

  func begin(_ parts: WorkerMemory.Parts) {}

  func multiply(
    _ rows: Range<Int>, input: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    _ parts: WorkerMemory.Parts
  ) {
    var located = LocatedRows()
    unsafe multiply(
      rows, &located, 0..<cuts.size.columnCount, group: 0, input: input, output: output, parts)
  }

  /// Multiplies rows with columns of a group.
  private func multiply(
    _ rowRange: Range<Int>, _ located: inout LocatedRows, _ columns: Range<Int>, group: Int,
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, _ parts: WorkerMemory.Parts
  ) {
    unsafe located.locate(
      rowRange, group: group, of: rows, input: input, padding: UnsafeRawPointer(padding.address),
      parts)
    let stride = groupCount * cuts.size.columnCount
    let first = rowRange.lowerBound * stride + group * cuts.size.columnCount + columns.lowerBound
    let pointers = unsafe UnsafeRawPointer(parts.pointers)
      .assumingMemoryBound(to: UnsafePointer<Float>.self)
    let depth = rows.tapByteCount / 4
    unsafe kernels.gemm(
      FloatGemmTask(
        rows: pointers, rowPitch: rowRange.count, rowCount: rowRange.count,
        tapCount: rows.tapCount, depth: depth,
        weights: panels[group]
          + kernels.layout.panelOffset(of: columns.lowerBound, depth: rows.tapCount * depth),
        columnCount: columns.count,
        output: output.assumingMemoryBound(to: Float.self) + first, outputStride: stride,
        lowest: range.lowest, highest: range.highest, scratch: copies ? parts.tile : nil))
  }
}
