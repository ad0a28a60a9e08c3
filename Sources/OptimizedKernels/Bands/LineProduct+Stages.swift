// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

extension LineProduct {
  package var stages: [any LineStage] {
    guard windows.groupCount == 1 else { return [] }
    if let pixels = windows.pixels {
      guard let lines = PixelLines(product: self, pixels: pixels) else { return [] }
      return [lines]
    }
    return windows.isLine || windows.goesDown ? [] : [WindowLines(product: self)]
  }
}

/// Lines of pixels of a product that has the image as a single line.
private struct PixelLines<Format: LineFormat>: LineStage {
  let product: LineProduct<Format>
  let pixels: RowPixels

  /// Lines of these pixels; nil where one of them is shorter than the lowest tile.
  init?(product: LineProduct<Format>, pixels: RowPixels) {
    let least = LineTiles.leastRows
    guard pixels.width >= least, product.single.most.columns >= 2 * least else { return nil }
    self.product = product
    self.pixels = pixels
  }

  var input: LineShape { pixels.shape(product.windows.pixelDepth, product.elementByteCount) }
  var output: LineShape { pixels.shape(product.format.columnCount, product.resultByteCount) }
  var readsOneLine: Bool { true }
  var nanoseconds: Double { product.nanoseconds }

  func inputLines(for lines: Range<Int>) -> Range<Int> { lines }

  func inputLineCount(for count: Int) -> Int { count }

  func scratchByteCount(lineCount: Int) -> Int { product.scratchByteCount(product.single) }

  func compute(
    _ lines: Range<Int>, input: LineSource, output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer, lineCount: Int
  ) {
    let most = product.single.most.columns
    let lineStride = product.lineStride(product.single)
    let (first, count) = (lines.lowerBound * pixels.width, lines.count * pixels.width)
    // About equal parts, none of which is shorter than the lowest tile.
    let parts = (count + most - 1) / most
    for part in 0..<parts {
      let columns = share(part, of: parts, count)
      unsafe product.compute(
        (
          image: 0, rows: 0..<1,
          columns: first + columns.lowerBound..<first + columns.upperBound
        ), product.format, lineStride: lineStride, input: input, output: output,
        scratch: scratch)
    }
  }
}

/// Lines of windows.
private struct WindowLines<Format: LineFormat>: LineStage {
  let product: LineProduct<Format>

  private var windows: LineWindows { product.windows }

  var input: LineShape {
    RowPixels(
      imageCount: windows.imageCount, lineCount: windows.rows.input, width: windows.columns.input
    ).shape(windows.pixelDepth, product.elementByteCount)
  }
  var output: LineShape {
    RowPixels(
      imageCount: windows.imageCount, lineCount: windows.rows.output,
      width: windows.columns.output
    ).shape(product.format.columnCount, product.resultByteCount)
  }
  var readsOneLine: Bool { windows.rows.readsEachOnce }
  var nanoseconds: Double { product.nanoseconds }

  func inputLines(for lines: Range<Int>) -> Range<Int> { windows.rows.inputs(for: lines) }

  func inputLineCount(for count: Int) -> Int { windows.rows.reach(count) }

  func scratchByteCount(lineCount: Int) -> Int { product.scratchByteCount(product.single) }

  func compute(
    _ lines: Range<Int>, input: LineSource, output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer, lineCount: Int
  ) {
    let blocks = product.single
    let lineStride = product.lineStride(blocks)
    for first in stride(from: lines.lowerBound, to: lines.upperBound, by: blocks.most.rows) {
      let rows = first..<min(first + blocks.most.rows, lines.upperBound)
      for part in 0..<blocks.columnParts {
        unsafe product.compute(
          (image: 0, rows: rows, columns: blocks.columns(part)), product.format,
          lineStride: lineStride, input: input, output: output, scratch: scratch)
      }
    }
  }
}
