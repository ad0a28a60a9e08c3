// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// A convolution of few channels, as products of windows that are read where they overlap.
final class LineProduct<Format: LineFormat>: RegionKernel {
  /// A part of an image.
  typealias Block = (image: Int, rows: Range<Int>, columns: Range<Int>)

  /// Bytes of copied rows up to which windows are copied in this way.
  private static var memoryLimit: Int { 1 << 20 }
  /// Bytes of packed weights that stay in the second-level cache while all outputs pass by.
  private static var weightsLimit: Int { 384 * 1024 }
  /// Elements of lines that are written twice rather than padded each from both ends.
  private static var shortLine: Int { 96 }

  let windows: LineWindows
  let format: Format
  /// The blocks for one worker.
  let single: LineBlocks
  // What the format says of elements, which is asked for every line.
  let elementByteCount: Int
  let resultByteCount: Int
  private let copiedElementByteCount: Int

  /// The convolution over `windows`; nil where rows or weights are too large for a cache.
  init?(_ windows: LineWindows, _ format: Format) {
    self.windows = windows
    self.format = format
    elementByteCount = format.elementByteCount
    resultByteCount = format.resultByteCount
    copiedElementByteCount = format.copiedElementByteCount
    single = Self.blocks(windows, format, workerCount: 1)
    guard format.weightByteCount <= Self.weightsLimit,
      copiedByteCount(single) <= Self.memoryLimit
    else { return nil }
  }

  /// How long all outputs take, roughly.
  var nanoseconds: Double { windows.nanoseconds(weightByteCount: format.weightByteCount) }

  func blockCount(workerCount: Int) -> Int { blocks(workerCount: workerCount).count }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    let (image, rows, columns) = blocks(workerCount: workerCount).block(block)
    let (width, depth) = (windows.columns.output, windows.groupCount * format.columnCount)
    func run(_ row: Int, _ columns: Range<Int>, rowCount: Int = 1) {
      let first = (image * windows.rows.output + row) * width + columns.lowerBound
      let count = (rowCount - 1) * width + columns.count
      body(first * depth..<(first + count) * depth)
    }
    if columns.count == width {
      run(rows.lowerBound, columns, rowCount: rows.count)
    } else {
      for row in rows { run(row, columns) }
    }
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    unsafe compute(
      input, to: frame.outputAddress(0), workerCount: workerCount, next: next
    ) { _ in format }
  }

  /// Computes blocks, in the format that `format` gives for an image.
  @inline(__always)
  func compute(
    _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, workerCount: Int,
    next: () -> Int?, format: (_ image: Int) -> Format
  ) {
    let blocks = blocks(workerCount: workerCount)
    let stride = lineStride(blocks)
    let lines = unsafe LineSource(input, lineByteCount: inputLineByteCount)
    unsafe ScratchMemory.use(scratchByteCount(blocks)) { scratch in
      while let index = next() {
        let block = blocks.block(index)
        unsafe compute(
          block, format(block.image), lineStride: stride, input: lines, output: output,
          scratch: scratch)
      }
    }
  }

  /// Computes a block, whose copied rows are `lineStride` bytes apart.
  func compute(
    _ block: Block, _ format: Format, lineStride: Int, input: LineSource,
    output: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer
  ) {
    let lines = unsafe scratch + format.scratchByteCount
    let line = block.image * windows.rows.output + block.rows.lowerBound
    let pixel = line * windows.columns.output + block.columns.lowerBound
    let groupByteCount = format.columnCount * resultByteCount
    let pixelByteCount = windows.groupCount * groupByteCount
    for group in 0..<windows.groupCount {
      unsafe copy(block, group: group, format, input, to: lines, stride: lineStride)
      unsafe format.multiply(
        LineTask(
          left: UnsafeRawPointer(lines), windows: windows, block: block, lineStride: lineStride,
          elementByteCount: copiedElementByteCount,
          output: output + (pixel * pixelByteCount + group * groupByteCount),
          pixelByteCount: pixelByteCount, scratch: scratch),
        group: group)
    }
  }

  private func blocks(workerCount: Int) -> LineBlocks {
    workerCount == 1 ? single : Self.blocks(windows, format, workerCount: workerCount)
  }

  private static func blocks(
    _ windows: LineWindows, _ format: Format, workerCount: Int
  ) -> LineBlocks {
    windows.blocks(
      elementByteCount: format.copiedElementByteCount, weightByteCount: format.weightByteCount,
      leastLength: format.tileRows, workerCount: workerCount)
  }

  /// Bytes of a row of the input's pixels.
  private var inputLineByteCount: Int {
    windows.columns.input * inputPixelByteCount
  }

  /// Bytes of a pixel of the input, of all groups.
  private var inputPixelByteCount: Int {
    windows.groupCount * windows.pixelDepth * elementByteCount
  }

  /// Bytes from one copied row of pixels to the next: an odd number of cache lines, and a word more
  /// than its elements take.
  func lineStride(_ blocks: LineBlocks) -> Int {
    let elements = windows.columns.reach(blocks.most.columns) * windows.pixelDepth
    return ((elements * copiedElementByteCount + 4 + 63) / 64 | 1) * 64
  }

  private func copiedByteCount(_ blocks: LineBlocks) -> Int {
    windows.rows.reach(blocks.most.rows) * lineStride(blocks)
  }

  /// Bytes of memory in which a worker computes blocks.
  func scratchByteCount(_ blocks: LineBlocks) -> Int {
    format.scratchByteCount + copiedByteCount(blocks)
  }

  /// Copies the rows of a group's pixels that the windows of a block reach.
  private func copy(
    _ block: Block, group: Int, _ format: Format, _ input: LineSource,
    to target: UnsafeMutableRawPointer, stride: Int
  ) {
    let (image, lines, pixels) = block
    let (rows, columns, depth) = (windows.rows, windows.columns, windows.pixelDepth)
    let (firstRow, firstColumn) = (
      rows.origin(lines.lowerBound), columns.origin(pixels.lowerBound)
    )
    let width = columns.reach(pixels.count)
    let before = min(max(0 - firstColumn, 0), width)
    let start = firstColumn + before
    let inside = max(min(columns.input - start, width - before), 0)
    let (window, lineCount) = (rows.reach(1), rows.reach(lines.count))
    let size = copiedElementByteCount
    // Another call for each line takes longer than what is written twice.
    let padsTogether = width * depth <= Self.shortLine
    if padsTogether, width > inside || firstRow < 0 || firstRow + lineCount > rows.input {
      unsafe format.pad(target, count: lineCount * stride / size)
    }
    for index in 0..<lineCount {
      // Rows that windows jump over are not read.
      guard rows.stride <= window || index % rows.stride < window else { continue }
      let row = firstRow + index
      let line = unsafe target + index * stride
      let isInside = row >= 0 && row < rows.input
      let (head, body) = (before * depth, isInside ? inside * depth : 0)
      let rest = width * depth - head - body
      if !padsTogether, head + rest > 0 {
        unsafe format.pad(line, count: head)
        unsafe format.pad(line + (head + body) * size, count: rest)
      }
      guard body > 0 else { continue }
      let source = unsafe input.address(image * rows.input + row)
      let pieces = unsafe LinePieces(
        source: source + (start * inputPixelByteCount + group * depth * elementByteCount),
        stride: inputPixelByteCount, length: windows.groupCount > 1 ? depth : body, count: body)
      unsafe format.copy(pieces, to: line + head * size)
    }
  }
}

/// The number format of a `LineProduct`, with its weights.
protocol LineFormat: Sendable {
  /// Rows of the register tile: lines are not cut into shorter parts.
  var tileRows: Int { get }
  /// Bytes of an element of the input.
  var elementByteCount: Int { get }
  /// Bytes of an element of the output.
  var resultByteCount: Int { get }
  /// Bytes of a copied element.
  var copiedElementByteCount: Int { get }
  /// Channels of the output that a group has.
  var columnCount: Int { get }
  /// Bytes of the packed weights of a group.
  var weightByteCount: Int { get }
  /// Bytes of scratch memory for lines, a multiple of a cache line.
  var scratchByteCount: Int { get }
  /// Copies elements to where a line reads them.
  func copy(_ pieces: LinePieces, to target: UnsafeMutableRawPointer)
  /// Writes elements of the padding.
  func pad(_ target: UnsafeMutableRawPointer, count: Int)
  /// Computes lines of a group.
  func multiply(_ line: LineTask, group: Int)
}

/// Elements of a line of pixels: all of them, or a group's of each pixel.
@unsafe
struct LinePieces {
  /// The first element.
  let source: UnsafeRawPointer
  /// Bytes from one piece to the next.
  let stride: Int
  /// Elements of each.
  let length: Int
  /// Elements of all.
  let count: Int

  /// Calls `copy` for each piece, with where it goes if elements take so many bytes there.
  @inline(__always)
  func forEach(
    to target: UnsafeMutableRawPointer, elementByteCount: Int,
    _ copy: (UnsafeRawPointer, UnsafeMutableRawPointer, _ count: Int) -> Void
  ) {
    var (source, target) = unsafe (source, target)
    let end = unsafe target + count &* elementByteCount
    while unsafe target < end {
      unsafe copy(source, target, length)
      unsafe source += stride
      unsafe target += length &* elementByteCount
    }
  }
}

/// Lines of windows over copied rows of pixels: rows of output pixels, or columns of them.
@unsafe
struct LineTask {
  /// Distances in bytes, and how many there are.
  typealias Steps = (stride: Int, count: Int)

  /// The first element of the first window.
  private(set) var left: UnsafeRawPointer
  /// The windows of a line.
  let windows: Steps
  /// The lines.
  private(set) var lines: Steps
  /// The rows of a window.
  let taps: Steps
  /// Elements of each.
  let tapDepth: Int
  /// Where the first output pixel goes.
  private(set) var output: UnsafeMutableRawPointer
  /// Bytes from one output pixel of a line to the next.
  let outputStride: Int
  /// Bytes from one line of the output to the next.
  let outputLineStride: Int
  /// The format's scratch memory.
  let scratch: UnsafeMutableRawPointer

  /// Some of the lines.
  func part(_ part: Range<Int>) -> LineTask {
    var task = unsafe self
    unsafe task.left += part.lowerBound * lines.stride
    unsafe task.output += part.lowerBound * outputLineStride
    unsafe task.lines.count = part.count
    return unsafe task
  }

  /// The windows of a block over copied rows that are `lineStride` bytes apart.
  init(
    left: UnsafeRawPointer, windows shape: LineWindows,
    block: (image: Int, rows: Range<Int>, columns: Range<Int>), lineStride: Int,
    elementByteCount: Int, output: UnsafeMutableRawPointer, pixelByteCount: Int,
    scratch: UnsafeMutableRawPointer
  ) {
    let (rows, columns) = (shape.rows, shape.columns)
    let down: Steps = (rows.stride * lineStride, block.rows.count)
    let right: Steps = (
      columns.stride * shape.pixelDepth * elementByteCount, block.columns.count
    )
    let (outputDown, outputRight) = (columns.output * pixelByteCount, pixelByteCount)
    unsafe self.left = left
    unsafe self.output = output
    unsafe self.scratch = scratch
    unsafe windows = shape.goesDown ? down : right
    unsafe lines = shape.goesDown ? right : down
    unsafe taps = (rows.dilation * lineStride, rows.window)
    unsafe tapDepth = shape.rowDepth
    unsafe outputStride = shape.goesDown ? outputDown : outputRight
    unsafe outputLineStride = shape.goesDown ? outputRight : outputDown
  }
}
