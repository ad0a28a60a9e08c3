// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Maxima of 8-bit quantized values: the same as the reference kernel's.
///
/// Where fewer pixels are read so, the rows of windows are taken first, a whole row of the image at
/// once, then neighboring pixels.
final class ByteMaxima: BlockKernel {
  private let nest: Pool2DNest
  private let lines: PoolLines
  private let lowest: UInt8
  private let highest: UInt8
  private let isSigned: Bool
  private let takesRowsFirst: Bool
  private let kernels: ByteMicrokernels

  /// The maxima of `loop`; nil for other than 8-bit quantized values, and for limits that only
  /// broken models have.
  init?<Element: FixedWidthInteger>(
    _ loop: Pool2DLoop<QuantizedMaximum<Element>>, _ set: MicrokernelSet
  ) {
    let range = loop.arithmetic.range
    guard Element.bitWidth == 8, range.lowest <= range.highest else { return nil }
    nest = loop.nest
    lines = PoolLines(nest)
    lowest = UInt8(truncatingIfNeeded: Element(clamping: range.lowest))
    highest = UInt8(truncatingIfNeeded: Element(clamping: range.highest))
    isSigned = Element.isSigned
    takesRowsFirst = Self.takesRowsFirst(nest.geometry)
    kernels = set.byte
  }

  /// Whether fewer pixels are read and written where the rows of windows are taken first.
  private static func takesRowsFirst(_ geometry: WindowGeometry) -> Bool {
    let (rows, columns) = (geometry.rows, geometry.columns)
    let (height, width) = (
      Double(min(rows.window, rows.input)), Double(min(columns.window, columns.input))
    )
    let (input, output) = (Double(columns.input), Double(columns.output))
    return columns.output > 1 && (height + 1) * input + width * output < height * width * output
  }

  func blockCount(workerCount: Int) -> Int { lines.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = lines.blocks(workerCount: workerCount)
    guard takesRowsFirst else {
      while let block = next() {
        unsafe pool(input, to: output, blocks.lines(block))
      }
      return
    }
    unsafe ScratchMemory.use(nest.geometry.columns.input * nest.depth) { buffer in
      while let block = next() {
        for line in blocks.lines(block) {
          unsafe pool(input, to: output, line, rowsIn: buffer)
        }
      }
    }
  }

  /// The maxima of whole windows.
  private func pool(
    _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, _ lines: Range<Int>
  ) {
    self.lines.forEachRun(in: lines) { first, count, step in
      unsafe pool(
        PoolLine(
          nest, input: input, output: output, first, count: count, step: step, elementSize: 1))
    }
  }

  /// The maxima of a line's windows, of whose rows those are found first, in `buffer`.
  private func pool(
    _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, _ line: Int,
    rowsIn buffer: UnsafeMutableRawPointer
  ) {
    let lineSize = nest.geometry.columns.input * nest.depth
    var hasRows = false
    lines.forEachRun(in: line..<line + 1) { first, count, step in
      var windows = unsafe PoolLine(
        nest, input: input, output: output, first, count: count, step: step, elementSize: 1)
      // Windows beyond the image have no pixels.
      guard first.rowCount > 0, first.columnCount > 0 else { return unsafe pool(windows) }
      let start = first.first % lineSize
      if !hasRows {
        unsafe pool(
          PoolLine(
            input: windows.input - start, end: windows.end, output: buffer, count: 1, step: 0,
            rowCount: windows.rowCount, rowStep: lineSize, columnCount: 1, pixelSize: lineSize))
        hasRows = true
      }
      unsafe windows.input = UnsafeRawPointer(buffer + start)
      unsafe windows.end = UnsafeRawPointer(buffer + lineSize)
      unsafe windows.rowCount = 1
      unsafe pool(windows)
    }
  }

  private func pool(_ windows: PoolLine) {
    unsafe kernels.pool(
      ByteMaximumLine(windows, lowest: lowest, highest: highest, isSigned: isSigned))
  }
}
