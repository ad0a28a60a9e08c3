// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Maxima of 8-bit quantized values: the same as the reference kernel's.
///
/// Where fewer pixels are read so, the rows of windows are taken first, a whole row of the image at
/// once, then neighboring pixels.
final class ByteMaxima: BlockKernel {
  private let lines: PoolLines
  private let lowest: UInt8
  private let highest: UInt8
  private let isSigned: Bool
  /// Whether the rows of windows are taken first.
  private let rowsFirst: Bool
  /// Bytes of a row of the image.
  private let lineSize: Int
  private let kernels: ByteMicrokernels

  /// The maxima of `loop`; nil for other than 8-bit quantized values, and for limits that only
  /// broken models have.
  init?<Element: FixedWidthInteger>(
    _ loop: Pool2DLoop<QuantizedMaximum<Element>>, _ set: MicrokernelSet
  ) {
    let range = loop.arithmetic.range
    guard Element.bitWidth == 8, range.lowest <= range.highest else { return nil }
    lines = PoolLines(loop.nest)
    lowest = UInt8(truncatingIfNeeded: Element(clamping: range.lowest))
    highest = UInt8(truncatingIfNeeded: Element(clamping: range.highest))
    isSigned = Element.isSigned
    rowsFirst = Self.takesRowsFirst(loop.nest.geometry)
    lineSize = loop.nest.geometry.columns.input * loop.nest.depth
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
    guard rowsFirst else {
      return unsafe lines.forEachRun(of: frame, elementSize: 1, workerCount: workerCount, next) {
        windows, _ in unsafe pool(windows)
      }
    }
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = lines.blocks(workerCount: workerCount)
    unsafe ScratchMemory.use(lineSize) { buffer in
      while let block = next() {
        for line in blocks.lines(block) {
          unsafe pool(input, to: output, line, rowsIn: buffer)
        }
      }
    }
  }

  /// The maxima of a line's windows, of whose rows those are found first, in `buffer`.
  private func pool(
    _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, _ line: Int,
    rowsIn buffer: UnsafeMutableRawPointer
  ) {
    var hasRows = false
    unsafe lines.forEachRun(in: line..<line + 1, of: input, to: output, elementSize: 1) {
      windows, first in
      // Windows beyond the image have no pixels.
      guard first.count > 0 else { return unsafe pool(windows) }
      let start = first.first % lineSize
      if !hasRows {
        unsafe pool(
          PoolLine(
            input: windows.input - start, end: windows.end, output: buffer, count: 1, step: 0,
            rowCount: windows.rowCount, rowStep: lineSize, columnCount: 1, pixelSize: lineSize))
        hasRows = true
      }
      var columns = unsafe windows
      unsafe columns.input = UnsafeRawPointer(buffer + start)
      unsafe columns.end = UnsafeRawPointer(buffer + lineSize)
      unsafe columns.rowCount = 1
      unsafe pool(columns)
    }
  }

  private func pool(_ windows: PoolLine) {
    unsafe kernels.pool(
      ByteMaximumLine(windows, lowest: lowest, highest: highest, isSigned: isSigned))
  }
}
