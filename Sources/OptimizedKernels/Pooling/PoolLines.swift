// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

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
    let elements = Double(nest.geometry.outputCount) * Double(rows.window * columns.window * depth)
    return ImageLines(
      imageCount: nest.batchCount, lineCount: rows.output, mostLines: max(rows.output, 1),
      nanoseconds: Double(nest.batchCount) * elements / Self.elementsPerNanosecond,
      workerCount: workerCount)
  }

  /// Calls `body` for every output pixel of `lines`: with the first element of each of the window's
  /// pixels and of the output's.
  @inline(__always)
  func forEachWindow(in lines: Range<Int>, _ body: (_ window: PoolWindow) -> Void) {
    let (rows, columns) = (nest.geometry.rows, nest.geometry.columns)
    for line in lines {
      let image = line / rows.output
      let rowOrigin = rows.origin(line % rows.output)
      let rowTaps = Self.taps(rows, from: rowOrigin)
      for column in 0..<columns.output {
        let columnOrigin = columns.origin(column)
        let columnTaps = Self.taps(columns, from: columnOrigin)
        let row = image * rows.input + rowOrigin + rowTaps.lowerBound
        let pixel = row * columns.input + columnOrigin + columnTaps.lowerBound
        body(
          PoolWindow(
            first: pixel * nest.depth, rowCount: rowTaps.count, columnCount: columnTaps.count,
            rowStep: columns.input * nest.depth, depth: nest.depth,
            output: (line * columns.output + column) * nest.depth))
      }
    }
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
  /// Where the output pixel starts.
  let output: Int

  /// Pixels of the window.
  var count: Int { rowCount * columnCount }

  /// Calls `body` with where each pixel starts.
  @inline(__always)
  func forEachPixel(_ body: (_ start: Int) -> Void) {
    for row in 0..<rowCount {
      for column in 0..<columnCount { body(first + row * rowStep + column * depth) }
    }
  }
}

/// A run of so many channels, which registers hold while a window's pixels pass by.
enum PoolRun<let width: Int> {}
