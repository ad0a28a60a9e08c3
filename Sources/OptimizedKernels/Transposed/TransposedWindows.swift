// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

/// A transposed convolution as ordinary ones: output pixels that are a whole number of strides
/// apart meet the same taps of the filter.
///
/// With strides of 2 by 2 there are four such classes of pixels. Each is a convolution with a part
/// of the filter, turned around, that moves by one pixel and yields every other pixel of every
/// other row. Every sum takes its products in the reference kernel's order. Neighboring pixels
/// whose classes read the same windows are computed together, as further output channels.
struct TransposedWindows: Sendable {
  /// The output pixels that meet the same taps.
  struct Part: Sendable {
    /// The windows that they read.
    let rows: ProductRows
    /// The filter's taps in the windows' order, for each of the neighbors that are computed
    /// together.
    let taps: [[Int]]
    /// Lines of an image with such pixels.
    let lineCount: Int
    /// Windows of a line, each with such pixels.
    let columnCount: Int
    /// The first one, counted in output pixels.
    let firstPixel: Int

    /// Neighboring pixels that are computed together.
    var pixelCount: Int { taps.count }
    /// Taps that each pixel meets.
    var tapCount: Int { taps.first?.count ?? 0 }
  }

  /// Pointers to rows that a block may have.
  private static let pointerLimit = 1024
  /// Bytes of activations and weights that are multiplied in a nanosecond, roughly.
  private static let bytesPerNanosecond = 200.0

  /// The classes of pixels.
  let parts: [Part]
  /// Taps of the whole filter.
  let tapCount: Int
  /// Output pixels from one pixel of a class to the next one in its line.
  let pixelStep: Int
  private let lineStep: Int
  private let imagePixelCount: Int
  private let imageCount: Int
  /// How long the convolution takes, roughly.
  private let nanoseconds: Double

  /// The classes of `nest`; nil where some pixels meet no tap at all.
  init?(_ nest: TransposeConvNest, elementByteCount: Int) {
    var (rows, columns) = (nest.geometry.rows, nest.geometry.columns)
    // An image that is one pixel wide is as well one line.
    if columns.input == 1, columns.output == 1, columns.window == 1 {
      swap(&rows, &columns)
    }
    guard rows.stride <= rows.window, columns.stride <= columns.window else { return nil }
    tapCount = rows.window * columns.window
    pixelStep = columns.stride
    lineStep = rows.stride * columns.input
    imagePixelCount = rows.input * columns.input
    imageCount = nest.batchCount
    nanoseconds =
      Double(nest.batchCount * rows.output * columns.output) * Double(tapCount * nest.outputDepth)
      * Double(nest.inputDepth * elementByteCount) / Self.bytesPerNanosecond
    let columnPhases = Self.merged(Self.phases(columns))
    parts = Self.phases(rows).flatMap { row in
      columnPhases.map { column in
        let geometry = WindowGeometry(rows: row.axis, columns: column.axis)
        return Part(
          rows: ProductRows(
            geometry, pixelByteCount: nest.inputDepth * elementByteCount,
            imageCount: nest.batchCount),
          taps: column.taps.map { taps in
            row.taps.flatMap { tap in taps.map { tap * columns.window + $0 } }
          },
          lineCount: row.axis.output, columnCount: column.axis.output,
          firstPixel: row.first * columns.input + column.first)
      }
    }
  }

  /// A class of elements along an axis.
  private typealias Phase = (first: Int, axis: WindowAxis, taps: [Int])

  /// Classes of neighbors that read the same windows, with the taps of each.
  private static func merged(
    _ phases: [Phase]
  ) -> [(first: Int, axis: WindowAxis, taps: [[Int]])] {
    var merged: [(first: Int, axis: WindowAxis, taps: [[Int]])] = []
    for phase in phases {
      if let last = merged.indices.last, merged[last].axis == phase.axis {
        merged[last].taps.append(phase.taps)
      } else {
        merged.append((phase.first, phase.axis, [phase.taps]))
      }
    }
    return merged
  }

  /// The classes of elements along an axis.
  private static func phases(_ axis: WindowAxis) -> [Phase] {
    (0..<min(axis.stride, axis.input)).map { first in
      let reach = first + axis.padding
      let taps = stride(from: reach % axis.stride, to: axis.window, by: axis.stride).reversed()
      // The last tap of the filter that is met lies on the earliest activation.
      let gathered = WindowAxis(
        input: axis.output, window: taps.count,
        output: (axis.input - first + axis.stride - 1) / axis.stride,
        padding: taps.count - 1 - reach / axis.stride)
      return (first, gathered, Array(taps))
    }
  }

  /// Lines of a part that a block has.
  private func lineCount(_ part: Part, workerCount: Int) -> Int {
    let rows = max(Self.pointerLimit / max(part.rows.tapCount, 1), 1)
    let lines = max(rows / max(part.columnCount, 1), 1)
    let blockCount = WorkShare.blockCount(nanoseconds: nanoseconds, workerCount: workerCount)
    guard blockCount > 1 else { return lines }
    let wanted = (blockCount + parts.count - 1) / parts.count
    return min(lines, max(imageCount * part.lineCount / wanted, 1))
  }

  /// The blocks of all parts.
  func blocks(workerCount: Int) -> [Block] {
    parts.indices.flatMap { index in
      let part = parts[index]
      let total = imageCount * part.lineCount
      let step = lineCount(part, workerCount: workerCount)
      return stride(from: 0, to: total, by: step).map {
        Block(part: index, lines: $0..<min($0 + step, total))
      }
    }
  }

  /// Neighboring lines of a part, counted through the images.
  struct Block {
    /// The part.
    let part: Int
    /// The lines.
    let lines: Range<Int>
  }

  /// Where a line of a part starts, in output pixels.
  func firstPixel(_ line: Int, of part: Part) -> Int {
    let (image, row) = line.quotientAndRemainder(dividingBy: part.lineCount)
    return image * imagePixelCount + row * lineStep + part.firstPixel
  }

  /// The scratch memory of a worker for these blocks.
  func memory(_ blocks: [Block], tileByteCount: (_ depth: Int) -> Int) -> WorkerMemory {
    var memory = WorkerMemory(pointerByteCount: 0, spillByteCount: 0, tileByteCount: 0)
    for block in blocks {
      let part = parts[block.part]
      let needed = WorkerMemory(
        part.rows, rowStep: block.lines.count * part.columnCount,
        tileByteCount: tileByteCount(part.rows.tapCount * part.rows.tapByteCount))
      memory = memory.union(needed)
    }
    return memory
  }
}
