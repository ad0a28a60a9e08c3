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
final class ByteProduct: PixelProduct {
  /// Weights packed for products.
  typealias Matrices = PackedWeights<[PackedByteMatrix]>

  let rows: ProductRows
  private let groups: Matrices
  private let scalings: [ByteScaling]
  /// Where each group's matrix and scaling start.
  ///
  /// To take these out of their arrays is to count
  /// references to them, which all workers would do at once.
  private nonisolated(unsafe) let starts: [Start]
  private let kernels: ByteMicrokernels
  private let activationFlip: UInt8
  private let padding: AlignedMemory
  let cuts: ProductCuts
  /// The memory for the product as one block; nil where there are more blocks for one worker.
  private let wholeMemory: WorkerMemory?
  /// That block, without its tensors.
  private nonisolated(unsafe) let whole: ByteGemmTask?
  /// The same where it is one row, as the latest frames of a series are; keeps `uncountedRow`.
  private let row: ByteSingleRow?
  /// That row, to which runs count no references.
  private let uncountedRow: Unmanaged<ByteSingleRow>?

  @unsafe
  private struct Start {
    let form: BytePanelForm
    let panels: BytePanels
    let finish: ByteFinish
  }

  /// The product of `rows` and the matrix of each group, brought to quantized values by the group's
  /// scaling.
  init(
    _ rows: ProductRows, _ groups: Matrices, _ scalings: [ByteScaling], columnCount: Int,
    activations: ByteActivations, kernels: ByteMicrokernels
  ) {
    self.rows = rows
    self.groups = groups
    self.scalings = scalings
    unsafe starts = zip(groups.value, scalings).map { matrix, scaling in
      unsafe Start(form: matrix.form, panels: matrix.panels(from: 0), finish: scaling.finish())
    }
    self.kernels = kernels
    activationFlip = activations.flip
    padding = AlignedMemory(zeroed: groups.value.count * rows.tapByteCount)
    unsafe padding.address.initializeMemory(
      as: UInt8.self, repeating: activations.quantizedZero, count: padding.byteCount)
    cuts = ProductCuts(ProductSize(rows, columnCount: columnCount, kernels.layout))
    let single = cuts.blocks(workerCount: 1)
    guard groups.value.count == 1, single.count == 1 else {
      unsafe whole = nil
      wholeMemory = nil
      row = nil
      unsafe uncountedRow = nil
      return
    }
    let nowhere = unsafe padding.address
    let task = unsafe ByteGemmTask(
      rows: UnsafePointer(nowhere.assumingMemoryBound(to: UnsafeRawPointer.self)),
      rowPitch: rows.rowCount, rowCount: rows.rowCount, tapCount: rows.tapCount,
      depth: rows.tapByteCount, activationFlip: activationFlip,
      weights: groups.value[0].panels(from: 0), columnCount: columnCount,
      finish: scalings[0].finish(), output: nowhere, outputStride: columnCount,
      scratch: nowhere)
    unsafe whole = task
    wholeMemory = unsafe Self.memory(
      rows, rowStep: single.rowStep,
      weightByteCount: BlockWeights.byteCount(groups.value, single), kernels.layout)
    row = unsafe kernels.singleRow(task)
    unsafe uncountedRow = row.map { unsafe .passUnretained($0) }
  }

  var groupCount: Int { groups.value.count }
  var elementByteCount: Int { 1 }

  func blockCount(workerCount: Int) -> Int {
    groupCount * cuts.blocks(workerCount: workerCount).count
  }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    cuts.blocks(workerCount: workerCount).forEachRun(
      of: block, groupCount: groupCount, body)
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    guard let memory = wholeMemory else { return try evaluateBlocks(frame) }
    guard let input = unsafe frame.inputAddress(0) else { return }
    unsafe computeWhole(memory, input, frame.outputAddress(0))
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    if workerCount == 1, let memory = wholeMemory {
      guard next() != nil else { return }
      unsafe computeWhole(memory, input, output)
      // Who asks for the next block has done the last one.
      _ = next()
      return
    }
    let blocks = cuts.blocks(workerCount: workerCount)
    let memory = unsafe Self.memory(
      rows, rowStep: blocks.rowStep,
      weightByteCount: BlockWeights.byteCount(groups.value, blocks), kernels.layout)
    unsafe memory.use { parts in
      var weights = unsafe BlockWeights(memory: parts.weights)
      var located = LocatedRows()
      while let block = next() {
        let (part, group) = block.quotientAndRemainder(dividingBy: groupCount)
        let (rows, columns) = (blocks.rows(part), blocks.columns(part))
        let panels = unsafe panels(
          group, columns, rowCount: rows.count, widened: &weights)
        unsafe multiply(
          rows, &located, columns, panels, group: group, input: input, output: output, parts)
      }
    }
  }

  /// The weights of some rows' columns of a group.
  private func panels(
    _ group: Int, _ columns: Range<Int>, rowCount: Int, widened weights: inout BlockWeights
  ) -> BytePanels {
    let start = unsafe starts[group]
    guard unsafe start.form == .compact else {
      let offset = unsafe kernels.layout.panelOffset(
        of: columns.lowerBound, depth: rows.tapCount * rows.tapByteCount, start.form)
      return unsafe start.panels.advanced(by: offset)
    }
    return unsafe weights.panels(
      of: groups.value[group], group: group, columns, rowCount: rowCount, kernels)
  }

  /// Multiplies rows with columns of a group, whose weights are `panels`.
  private func multiply(
    _ rowRange: Range<Int>, _ located: inout LocatedRows, _ columns: Range<Int>,
    _ panels: BytePanels, group: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    _ parts: WorkerMemory.Parts
  ) {
    unsafe located.locate(
      rowRange, group: group, of: rows, input: input, padding: UnsafeRawPointer(padding.address),
      parts)
    let stride = groupCount * cuts.size.columnCount
    let first = rowRange.lowerBound * stride + group * cuts.size.columnCount + columns.lowerBound
    unsafe kernels.gemm(
      ByteGemmTask(
        rows: UnsafePointer(parts.pointers), rowPitch: rowRange.count, rowCount: rowRange.count,
        tapCount: rows.tapCount, depth: rows.tapByteCount, activationFlip: activationFlip,
        weights: panels, columnCount: columns.count,
        finish: starts[group].finish.advanced(to: columns.lowerBound), output: output + first,
        outputStride: stride, scratch: parts.tile))
  }

  /// Computes the product as one block.
  private func computeWhole(
    _ memory: WorkerMemory, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    unsafe memory.use { parts in
      unsafe rows.locate(
        0..<rows.rowCount, input: input, padding: UnsafeRawPointer(padding.address),
        pointers: parts.pointers, spill: parts.spill)
      if let row = unsafe uncountedRow {
        unsafe row._withUnsafeGuaranteedRef {
          unsafe kernels.multiply(
            $0, UnsafePointer(parts.pointers), to: output, scratch: parts.tile)
        }
        return
      }
      guard var task = unsafe whole else { return }
      unsafe task.rows = UnsafePointer(parts.pointers)
      if memory.weightByteCount > 0 {
        var weights = unsafe BlockWeights(memory: parts.weights)
        unsafe task.weights = weights.panels(
          of: groups.value[0], 0..<task.columnCount, rowCount: task.rowCount, kernels)
      }
      unsafe task.output = output
      unsafe task.scratch = parts.tile
      unsafe kernels.gemm(task)
    }
  }

  /// What a worker needs for blocks of up to `rowStep` rows, with so many bytes of widened weights.
  private static func memory(
    _ rows: ProductRows, rowStep: Int, weightByteCount: Int, _ layout: ByteGemmLayout
  ) -> WorkerMemory {
    WorkerMemory(
      rows, rowStep: rowStep,
      tileByteCount: layout.scratchByteCount(
        depth: rows.tapCount * rows.tapByteCount, rowCount: rowStep),
      weightByteCount: weightByteCount)
  }
}

extension ByteProduct {
  func memory(rowStep: Int) -> WorkerMemory {
    Self.memory(
      rows, rowStep: rowStep,
      weightByteCount: groups.value[0].form == .compact ? cuts.size.weightByteCount : 0,
      kernels.layout)
  }

  func begin(_ parts: WorkerMemory.Parts) {
    guard groups.value[0].form == .compact else { return }
    unsafe kernels.widen(groups.value[0], 0..<cuts.size.columnCount, to: parts.weights)
  }

  func multiply(
    _ rows: Range<Int>, input: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    _ parts: WorkerMemory.Parts
  ) {
    let matrix = groups.value[0]
    let isWidened = matrix.form == .compact
    let panels = unsafe isWidened ? BytePanels(words: parts.weights) : matrix.panels(from: 0)
    var located = LocatedRows()
    unsafe multiply(
      rows, &located, 0..<cuts.size.columnCount, panels, group: 0, input: input, output: output,
      parts)
  }
}
