// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Rows of 8-bit quantized values times constant weights: quantized `CONV_2D` and
/// `FULLY_CONNECTED`.
///
/// Sums are exact, and become quantized values by the very rule of the reference kernel: results
/// are the same bit for bit.
@safe
final class ByteProduct: RegionKernel {
  /// Weights packed for products.
  typealias Matrices = PackedWeights<[PackedByteMatrix]>

  private let rows: ProductRows
  private let groups: Matrices
  private let scalings: [ByteScaling]
  private let kernels: ByteMicrokernels
  private let activationFlip: UInt8
  private let padding: AlignedMemory
  private let cuts: ProductCuts
  /// Whether weights are widened for each block, before they are multiplied.
  private let widens: Bool
  /// The product as one block, without its tensors, and the memory for it; nil where there are more
  /// blocks for one worker.
  private nonisolated(unsafe) let whole: (task: ByteGemmTask, memory: WorkerMemory)?

  /// The product of `rows` and the matrix of each group, brought to quantized values by the group's
  /// scaling.
  init(
    _ rows: ProductRows, _ groups: Matrices, _ scalings: [ByteScaling], columnCount: Int,
    activations: ByteActivations, kernels: ByteMicrokernels
  ) {
    self.rows = rows
    self.groups = groups
    self.scalings = scalings
    self.kernels = kernels
    activationFlip = activations.flip
    padding = AlignedMemory(zeroed: rows.tapByteCount)
    unsafe padding.address.initializeMemory(
      as: UInt8.self, repeating: activations.quantizedZero, count: rows.tapByteCount)
    cuts = ProductCuts(ProductSize(rows, columnCount: columnCount, kernels.layout))
    let isRegular = scalings.allSatisfy {
      unsafe $0.finish().isRegular(columnCount: columnCount)
    }
    widens =
      groups.value.contains { $0.form == .compact } && !(rows.rowCount == 1 && isRegular)
    let single = cuts.blocks(workerCount: 1)
    guard groups.value.count == 1, single.count == 1 else {
      unsafe whole = nil
      return
    }
    let nowhere = unsafe padding.address
    unsafe whole = (
      Self.task(
        rows, groups.value[0], scalings[0], rowCount: rows.rowCount, columns: 0..<columnCount,
        flip: activationFlip, output: nowhere, outputStride: columnCount),
      Self.memory(rows, single, kernels, widens: widens)
    )
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
    let output = unsafe frame.outputAddress(0)
    if workerCount == 1, let whole = unsafe whole {
      guard next() != nil else { return }
      unsafe compute(whole.task, whole.memory, input, output)
      // Who asks for the next block has done the last one.
      _ = next()
      return
    }
    let blocks = cuts.blocks(workerCount: workerCount)
    unsafe Self.memory(rows, blocks, kernels, widens: widens).use { parts in
      var widened: (group: Int, columns: Range<Int>)?
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
        var task = unsafe Self.task(
          rows, groups.value[group], scalings[group], rowCount: rowRange.count, columns: columns,
          flip: activationFlip, output: output + first, outputStride: stride)
        // Blocks of the same columns follow each other.
        let isWidened = widened.map { $0 == (group, columns) } ?? false
        unsafe compute(&task, group: group, columns, parts, isWidened: isWidened)
        widened = (group, columns)
      }
    }
  }

  /// Computes the product as one block.
  private func compute(
    _ whole: ByteGemmTask, _ memory: WorkerMemory, _ input: UnsafeRawPointer,
    _ output: UnsafeMutableRawPointer
  ) {
    unsafe memory.use { parts in
      unsafe rows.locate(
        0..<rows.rowCount, input: input, padding: UnsafeRawPointer(padding.address),
        pointers: parts.pointers, spill: parts.spill)
      var task = unsafe whole
      unsafe task.output = output
      unsafe compute(
        &task, group: 0, 0..<cuts.size.columnCount, parts, isWidened: false)
    }
  }

  /// Computes a block with the memory of a worker, which may have its weights widened already.
  private func compute(
    _ task: inout ByteGemmTask, group: Int, _ columns: Range<Int>, _ parts: WorkerMemory.Parts,
    isWidened: Bool
  ) {
    unsafe task.rows = UnsafePointer(parts.pointers)
    unsafe task.scratch = parts.tile
    if widens {
      if !isWidened { unsafe kernels.widen(groups.value[group], columns, to: parts.weights) }
      unsafe task.weights = UnsafeRawPointer(parts.weights)
      unsafe task.isCompact = false
    }
    unsafe kernels.gemm(task)
  }

  /// A block, without what a worker's memory holds of it.
  @unsafe
  private static func task(
    _ rows: ProductRows, _ matrix: PackedByteMatrix, _ scaling: ByteScaling, rowCount: Int,
    columns: Range<Int>, flip: UInt8, output: UnsafeMutableRawPointer, outputStride: Int
  ) -> ByteGemmTask {
    let nowhere = unsafe output
    return unsafe ByteGemmTask(
      rows: UnsafePointer(nowhere.assumingMemoryBound(to: UnsafeRawPointer.self)),
      rowPitch: rowCount, rowCount: rowCount, tapCount: rows.tapCount, depth: rows.tapByteCount,
      activationFlip: flip, weights: matrix.panel(from: columns.lowerBound),
      isCompact: matrix.form == .compact, zeroPoint: matrix.zeroPoint,
      rowSumFactor: matrix.rowSumFactor, columnCount: columns.count,
      finish: scaling.finish(from: columns.lowerBound), output: output,
      outputStride: outputStride, scratch: nowhere)
  }

  /// What a worker needs for its blocks.
  private static func memory(
    _ rows: ProductRows, _ blocks: ProductBlocks, _ kernels: ByteMicrokernels, widens: Bool
  ) -> WorkerMemory {
    WorkerMemory(
      rows, rowStep: blocks.rowStep,
      tileByteCount: kernels.layout.scratchByteCount(
        depth: rows.tapCount * rows.tapByteCount, rowCount: blocks.rowStep),
      weightByteCount: widens ? blocks.weightByteCount : 0)
  }
}
