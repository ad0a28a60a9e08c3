// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The windows of a pooling node, by lines of output pixels.
struct PoolLines: Sendable {
  /// Elements of windows that are taken in a nanosecond, roughly.
  private static let elementsPerNanosecond = 4.0

  private let nest: Pool2DNest

  /// The lines of `nest`.
  init(_ nest: Pool2DNest) { self.nest = nest }

  /// Channels.
  var depth: Int { nest.depth }
  /// How the output rows are cut into blocks for so many workers.
  func blocks(workerCount: Int) -> ImageLines {
    let (rows, columns) = (nest.geometry.rows, nest.geometry.columns)
    // A window may reach far beyond the image.
    let taps = Double(min(rows.window, rows.input)) * Double(min(columns.window, columns.input))
    let elements = Double(nest.geometry.outputCount) * Double(depth) * taps
    return ImageLines(
      imageCount: nest.batchCount, lineCount: rows.output, mostLines: max(rows.output, 1),
      nanoseconds: Double(nest.batchCount) * elements / Self.elementsPerNanosecond,
      workerCount: workerCount)
  }

  /// Calls `body` for the windows of the blocks that `next` names, until it names none: several side by
  /// side, of which it gets the first one besides.
  ///
  /// An element has `elementSize` bytes, and results go to the first output.
  @inline(__always)
  func forEachRun(
    of frame: borrowing TensorFrame, elementSize: Int, workerCount: Int, _ next: () -> Int?,
    _ body: (_ windows: PoolLine, _ first: PoolWindow) -> Void
  ) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = blocks(workerCount: workerCount)
    while let block = next() {
      unsafe forEachRun(
        in: blocks.lines(block), of: input, to: output, elementSize: elementSize, body)
    }
  }

  /// Calls `body` for the windows of a block's `lines`, several side by side, of which it gets the first
  /// one besides.
  @inline(__always)
  func forEachRun(
    in lines: Range<Int>, of input: UnsafeRawPointer, to output: UnsafeMutableRawPointer,
    elementSize: Int, _ body: (_ windows: PoolLine, _ first: PoolWindow) -> Void
  ) {
    let (rows, columns) = (nest.geometry.rows, nest.geometry.columns)
    let elementCount = nest.batchCount * rows.input * columns.input * nest.depth
    forEachRun(in: lines) { first, count, step in
      let windows = unsafe PoolLine(
        input: input + first.first * elementSize, end: input + elementCount * elementSize,
        output: output + first.output * elementSize, count: count, step: step * elementSize,
        rowCount: first.rowCount, rowStep: first.rowStep * elementSize,
        columnCount: first.columnCount, pixelSize: first.depth * elementSize)
      unsafe body(windows, first)
    }
  }

  /// Calls `body` for the output pixels of a block's `lines`, those of a row whose windows lie within
  /// its width together, or of a column where that is all: with the first one, how many there are, and
  /// the elements from one window to the next.
  private func forEachRun(
    in lines: Range<Int>, _ body: (_ first: PoolWindow, _ count: Int, _ step: Int) -> Void
  ) {
    let (rows, columns) = (nest.geometry.rows, nest.geometry.columns)
    guard columns.output == 1 else {
      for line in lines {
        Self.forEachRun(of: 0..<columns.output, columns) { column, count in
          body(window(line, column), count, columns.stride * nest.depth)
        }
      }
      return
    }
    let first = lines.lowerBound / rows.output * rows.output
    Self.forEachRun(of: lines.lowerBound - first..<lines.upperBound - first, rows) { row, count in
      body(window(first + row, 0), count, rows.stride * columns.input * nest.depth)
    }
  }

  /// Calls `body` for positions along an axis: by themselves where windows reach beyond the input.
  private static func forEachRun(
    of positions: Range<Int>, _ axis: WindowAxis, _ body: (_ first: Int, _ count: Int) -> Void
  ) {
    let room = axis.input + axis.padding - axis.window
    let first = (axis.padding + axis.stride - 1) / axis.stride
    let end = room < 0 ? first : max(room / axis.stride + 1, first)
    let inside = (first..<end).clamped(to: positions)
    for position in positions.lowerBound..<inside.lowerBound { body(position, 1) }
    if !inside.isEmpty { body(inside.lowerBound, inside.count) }
    for position in inside.upperBound..<positions.upperBound { body(position, 1) }
  }

  /// The window of an output pixel; lines count through images.
  @inline(__always)
  private func window(_ line: Int, _ column: Int) -> PoolWindow {
    let (rows, columns) = (nest.geometry.rows, nest.geometry.columns)
    let (image, row) = line.quotientAndRemainder(dividingBy: rows.output)
    let (rowOrigin, columnOrigin) = (rows.origin(row), columns.origin(column))
    let rowTaps = Self.taps(rows, from: rowOrigin)
    let columnTaps = Self.taps(columns, from: columnOrigin)
    let pixelRow = image * rows.input + rowOrigin + rowTaps.lowerBound
    let pixel = pixelRow * columns.input + columnOrigin + columnTaps.lowerBound
    return PoolWindow(
      first: pixel * nest.depth, rowCount: rowTaps.count, columnCount: columnTaps.count,
      rowStep: columns.input * nest.depth, depth: nest.depth,
      firstTap: rowTaps.lowerBound * columns.window + columnTaps.lowerBound,
      output: (line * columns.output + column) * nest.depth)
  }
}

extension PoolLines {
  /// `WindowAxis.taps(from:)` of neighboring taps, without a division.
  @inline(__always)
  private static func taps(_ axis: WindowAxis, from origin: Int) -> Range<Int> {
    let first = max(0 - origin, 0)
    let last = min(axis.window, axis.input - origin)
    return first < last ? first..<last : 0..<0
  }
}

/// The pixels of one window that lie in the image.
struct PoolWindow {
  /// Where the first pixel starts.
  let first: Int
  /// Rows of pixels.
  let rowCount: Int
  /// Pixels of each row.
  let columnCount: Int
  /// Elements from one row to the next.
  let rowStep: Int
  /// Elements of a pixel.
  let depth: Int
  /// The first pixel's place in the window, of which rows before it may lie outside of the image.
  let firstTap: Int
  /// Where the output pixel starts.
  let output: Int

  /// Pixels of the window.
  var count: Int { rowCount * columnCount }
}
