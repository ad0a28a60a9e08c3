// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Rows of 16-bit activations times constant 8-bit weights: `CONV_2D`, `FULLY_CONNECTED` and
/// `BATCH_MATMUL` with the same results as the reference kernel.
///
///     x = 2⁸ high + low + 2⁷,   Σ x w = 2⁸ Σ high w + Σ low w + 2⁷ Σ w
///
/// High and low bytes are both signed quantized values, so that two 8-bit products with the same
/// weights give the sum exactly.
final class WideProduct: BlockKernel {
  /// Terms for which the sum of 8-bit products, each at most 128 · 255, surely fits 32 bits.
  static let mostTerms = 1 << 16
  /// Rows whose sums are held at a time.
  private static let rowStep = 48
  /// How long it takes to join two sums and to scale them, one by one.
  private static let nanosecondsPerSum = 5.0

  private let rows: ProductRows
  private let groups: ByteProduct.Matrices
  private let finish: WideFinish
  private let kernels: ByteMicrokernels
  private let elementCount: Int
  private let highPadding: AlignedMemory
  private let lowPadding: AlignedMemory
  private let size: ProductSize

  /// The product of `rows`, which `elementCount` activations make up, and the matrix of each group, of
  /// `columnCount` columns; `finish` adds 2⁷ Σ w.
  init(
    _ rows: ProductRows, _ groups: ByteProduct.Matrices, columnCount: Int, _ finish: WideFinish,
    elementCount: Int, kernels: ByteMicrokernels
  ) {
    self.rows = rows
    self.groups = groups
    self.finish = finish
    self.elementCount = elementCount
    self.kernels = kernels
    highPadding = AlignedMemory(zeroed: rows.tapByteCount)
    lowPadding = AlignedMemory(zeroed: rows.tapByteCount)
    unsafe lowPadding.address.initializeMemory(
      as: UInt8.self, repeating: 0x80, count: rows.tapByteCount)
    var size = ProductSize(rows, columnCount: columnCount, kernels.layout)
    size.nanosecondsPerSum = Self.nanosecondsPerSum
    self.size = size
  }

  /// Bytes of the scratch tensors: high and low bytes.
  var scratch: [Int] { [elementCount, elementCount] }

  func begin(_ frame: borrowing TensorFrame) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Int16.self)
    let high = unsafe frame.scratchAddress(0).assumingMemoryBound(to: UInt8.self)
    let low = unsafe frame.scratchAddress(1).assumingMemoryBound(to: UInt8.self)
    for index in 0..<elementCount {
      let bits = unsafe UInt16(bitPattern: input[index])
      unsafe high[index] = UInt8(truncatingIfNeeded: bits >> 8)
      unsafe low[index] = UInt8(truncatingIfNeeded: bits) ^ 0x80
    }
  }

  private var groupCount: Int { groups.value.count }

  func blockCount(workerCount: Int) -> Int {
    groupCount * ProductBlocks(size, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let high = unsafe UnsafeRawPointer(frame.scratchAddress(0))
    let low = unsafe UnsafeRawPointer(frame.scratchAddress(1))
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Int16.self)
    let blocks = ProductBlocks(size, workerCount: workerCount)
    let rowStep = min(Self.rowStep, blocks.rowStep)
    let tile = kernels.layout.scratchByteCount(depth: rows.tapCount * rows.tapByteCount)
    let tileByteCount = roundedUp(tile, to: AlignedMemory.alignment)
    let sumCount = rowStep * size.columnCount
    let memory = WorkerMemory(
      rows, rowStep: rowStep, tileByteCount: tileByteCount + 2 * sumCount * 4,
      weightByteCount: unsafe BlockWeights.byteCount(groups.value, blocks))
    unsafe memory.use { parts in
      var weights = unsafe BlockWeights(memory: parts.weights)
      let sums = unsafe (parts.tile + tileByteCount).assumingMemoryBound(to: Int32.self)
      while let block = next() {
        let (group, part) = block.quotientAndRemainder(dividingBy: blocks.count)
        let (blockRows, columns) = (blocks.rows(part), blocks.columns(part))
        for first in stride(from: blockRows.lowerBound, to: blockRows.upperBound, by: rowStep) {
          let range = first..<min(first + rowStep, blockRows.upperBound)
          let panels = unsafe weights.panels(
            of: groups.value[group], group: group, columns, rowCount: range.count, kernels)
          unsafe multiply(range, columns, panels, group, high, highPadding, parts, to: sums)
          unsafe multiply(
            range, columns, panels, group, low, lowPadding, parts, to: sums + sumCount)
          unsafe write(
            sums, sums + sumCount, rowCount: range.count, columns, group,
            to: output + first * groupCount * size.columnCount)
        }
      }
    }
  }

  /// The sums of a group from one plane of bytes.
  private func multiply(
    _ range: Range<Int>, _ columns: Range<Int>, _ weights: BytePanels, _ group: Int,
    _ plane: UnsafeRawPointer, _ padding: AlignedMemory, _ parts: WorkerMemory.Parts,
    to sums: UnsafeMutablePointer<Int32>
  ) {
    unsafe rows.locate(
      range, input: plane + group * rows.tapByteCount, padding: UnsafeRawPointer(padding.address),
      pointers: parts.pointers, spill: parts.spill)
    unsafe kernels.multiply(
      rows, count: range.count, parts, by: weights, columnCount: columns.count, to: sums,
      stride: columns.count * 4)
  }

  /// Joins the sums of both planes to results of a group's columns.
  private func write(
    _ high: UnsafePointer<Int32>, _ low: UnsafePointer<Int32>, rowCount: Int,
    _ columns: Range<Int>, _ group: Int, to output: UnsafeMutablePointer<Int16>
  ) {
    let start = group * size.columnCount + columns.lowerBound
    for row in 0..<rowCount {
      let first = row * columns.count - start
      let channels = start..<start + columns.count
      unsafe finish.write(channels, to: output + row * groupCount * size.columnCount) { column in
        unsafe Int64(high[first &+ column]) &* 256 &+ Int64(low[first &+ column])
      }
    }
  }
}
