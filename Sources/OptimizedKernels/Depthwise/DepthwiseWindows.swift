// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

/// The pixels that the windows of a depthwise convolution read, as pointers.
///
/// A block is some neighboring output rows of one image. Its table has a row of pointers for
/// each input row that its windows reach, padding at both ends included, so that every window finds
/// its taps at the same distances. Where pixels of few channels are joined, the pointers are to copies
/// of those rows.
struct DepthwiseWindows: Sendable {
  /// Pointers that a block's table may have: 16 KiB stay in the first-level cache.
  private static let pointerLimit = 2048
  /// Bytes that the copies of a block's rows may take.
  private static let copiedLimit = 1 << 14
  /// Pointers that the table of a single output row may have.
  private static let tableLimit = 1 << 18
  /// Bytes of activations and weights that are multiplied in a nanosecond, roughly.
  private static let bytesPerNanosecond = 40.0

  private let rows: WindowAxis
  private let columns: WindowAxis
  private let imageCount: Int
  private let pixelByteCount: Int
  /// How pixels are joined; nil where they are not.
  let segments: PixelSegments?
  /// Pointers for each input row.
  let rowPitch: Int
  /// The blocks for one worker: finding them takes as long as a small convolution.
  private var single: ImageLines?

  /// The windows of `nest` over pixels of `pixelByteCount` bytes, perhaps joined; nil where dilation
  /// spreads them so far that a table would be mostly padding.
  init?(_ nest: DepthwiseConv2DNest, pixelByteCount: Int, _ segments: PixelSegments? = nil) {
    rows = nest.geometry.rows
    columns = nest.geometry.columns
    imageCount = nest.batchCount
    self.pixelByteCount = pixelByteCount
    self.segments = segments
    rowPitch = columns.reach(segments?.length ?? columns.output)
    let height = rows.reach(1)
    guard rowPitch <= Self.tableLimit, height <= Self.tableLimit / max(rowPitch, 1) else {
      return nil
    }
    single = blocks(workerCount: 1)
  }

  /// Taps of a window.
  var tapCount: Int { rows.window * columns.window }
  /// What of a window decides how weights are packed.
  var shape: DepthwiseShape {
    DepthwiseShape(
      rowCount: rows.window, columnCount: columns.window, tapStep: columns.dilation,
      step: columns.stride)
  }
  /// Where the pointers of each of a window's rows start, counted from the window's first.
  var rowOffsets: [Int] { (0..<rows.window).map { $0 * rows.dilation * rowPitch } }
  /// Output pixels in a row.
  var columnCount: Int { columns.output }
  /// Output pixels in a row of joined ones, else all of a row.
  var joinedCount: Int { segments?.length ?? columns.output }
  /// Pixels that are one for the kernel.
  var repetitions: Int { segments?.count ?? 1 }
  /// Pointers from one output row to the next.
  var lineStep: Int { rows.stride * rowPitch }

  /// The most output rows that a block has.
  var mostLines: Int {
    let most = segments.map { Self.copiedLimit / $0.joinedByteCount } ?? Self.pointerLimit
    let inputRows = most / max(rowPitch, 1)
    return max((inputRows - rows.reach(1)) / rows.stride + 1, 1)
  }

  /// How long the convolution takes, roughly.
  var nanoseconds: Double {
    let bytes = Double(imageCount * rows.output) * Double(columns.output * pixelByteCount)
    return bytes * Double(tapCount) / Self.bytesPerNanosecond
  }

  /// How the output rows are cut into blocks for so many workers.
  func blocks(workerCount: Int) -> ImageLines {
    if workerCount == 1, let single { return single }
    return ImageLines(
      imageCount: imageCount, lineCount: rows.output, mostLines: mostLines,
      nanoseconds: nanoseconds, workerCount: workerCount)
  }

  /// The input rows that windows of `lines` of an image read.
  func inputLines(for lines: Range<Int>) -> Range<Int> { rows.inputs(for: lines) }

  /// The most input rows that windows of `count` neighboring output rows read.
  func inputLineCount(for count: Int) -> Int { rows.reach(count) }

  /// The images that are read, of `elementByteCount` bytes for each element.
  func input(elementByteCount: Int) -> LineShape {
    shape(lineCount: rows.input, width: columns.input, elementByteCount)
  }

  /// The images that are computed.
  func output(elementByteCount: Int) -> LineShape {
    shape(lineCount: rows.output, width: columns.output, elementByteCount)
  }

  private func shape(lineCount: Int, width: Int, _ elementByteCount: Int) -> LineShape {
    LineShape(
      imageCount: imageCount, lineCount: lineCount,
      lineElementCount: width * pixelByteCount / elementByteCount,
      elementByteCount: elementByteCount)
  }

  /// Pointers in the table of a block of that many output rows.
  func pointerCount(lineCount: Int) -> Int {
    rows.reach(lineCount) * rowPitch
  }

  /// Bytes of the table and of all that goes with it for a block of that many output rows: copies of
  /// rows, and a row of joined output pixels.
  func tableByteCount(lineCount: Int) -> Int {
    let count = pointerCount(lineCount: lineCount)
    let copied = segments.map { (count + $0.length) * $0.joinedByteCount } ?? 0
    return unsafe count * MemoryLayout<UnsafeRawPointer>.stride + copied
  }

  /// The input's rows, of which `input` is the first byte.
  @unsafe
  func lines(of input: UnsafeRawPointer) -> LineSource {
    unsafe LineSource(input, lineByteCount: columns.input * pixelByteCount)
  }

  /// Of the only output pixel there is: where each pointer of the table points, in bytes from the
  /// input on, or −1 for the padding; nil where there are several, or joined ones.
  var singlePixelOffsets: [Int]? {
    guard imageCount == 1, rows.output == 1, columns.output == 1, segments == nil else {
      return nil
    }
    let origin = rows.origin(0)
    return (0..<pointerCount(lineCount: 1)).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: rowPitch)
      let (line, pixel) = (origin + row, column - columns.padding)
      let isInside = (0..<rows.input).contains(line) && (0..<columns.input).contains(pixel)
      return isInside ? (line * columns.input + pixel) * pixelByteCount : -1
    }
  }

  /// Writes the table of a block whose output rows are `lines`, and what goes with it.
  ///
  /// Pointers into the padding are `padding`.
  func locate(
    _ lines: Range<Int>, input: LineSource, padding: UnsafeRawPointer,
    table: UnsafeMutableRawPointer
  ) {
    let pointers = unsafe table.assumingMemoryBound(to: UnsafeRawPointer.self)
    let image = lines.lowerBound / rows.output
    let origin = rows.origin(lines.lowerBound % rows.output)
    let rowCount = rows.reach(lines.count)
    if rowPitch == 1, segments == nil, columns.padding == 0, columns.input > 0 {
      // A column of pixels, as of sounds that come frame by frame.
      for line in 0..<rowCount {
        let row = origin + line
        let isInside = row >= 0 && row < rows.input
        unsafe (pointers + line).initialize(
          to: isInside ? input.address(image * rows.input + row) : padding)
      }
      return
    }
    // Copies of rows are behind the table.
    var copy = unsafe UnsafeMutableRawPointer(pointers + rowCount * rowPitch)
    for line in 0..<rowCount {
      let target = unsafe pointers + line * rowPitch
      let row = origin + line
      guard row >= 0 && row < rows.input else {
        unsafe fill(target, count: rowPitch, from: padding, step: 0)
        continue
      }
      let first = unsafe input.address(image * rows.input + row)
      if let segments {
        let step = segments.joinedByteCount
        unsafe segments.join(first, columns, padding: padding, pitch: rowPitch, to: copy)
        unsafe fill(target, count: rowPitch, from: UnsafeRawPointer(copy), step: step)
        unsafe copy += rowPitch * step
      } else {
        unsafe locateRow(first, padding: padding, target)
      }
    }
  }

  /// Writes the pointers to the pixels of a row, padding at both ends included.
  private func locateRow(
    _ first: UnsafeRawPointer, padding: UnsafeRawPointer,
    _ target: UnsafeMutablePointer<UnsafeRawPointer>
  ) {
    let before = min(columns.padding, rowPitch)
    let inside = max(min(columns.input, rowPitch - before), 0)
    unsafe fill(target, count: before, from: padding, step: 0)
    unsafe fill(target + before, count: inside, from: first, step: pixelByteCount)
    unsafe fill(
      target + (before + inside), count: rowPitch - before - inside, from: padding, step: 0)
  }

  /// Calls `body` for each output row of a block with its first window's first pixel in the table, and
  /// where its pixels go; joined ones are separated after that.
  ///
  /// `output` is where the first row of all goes, `lineByteCount` the bytes of a row.
  func forEachLine(
    _ lines: Range<Int>, table: UnsafeMutableRawPointer, output: UnsafeMutableRawPointer,
    lineByteCount: Int,
    _ body: (_ pixels: UnsafePointer<UnsafeRawPointer>, _ output: UnsafeMutableRawPointer) -> Void
  ) {
    let pixels = unsafe UnsafePointer(table.assumingMemoryBound(to: UnsafeRawPointer.self))
    // Joined output pixels are behind the table and the copied rows.
    let joined =
      unsafe table + tableByteCount(lineCount: lines.count)
      - (segments.map { $0.length * $0.joinedByteCount } ?? 0)
    for line in lines {
      let first = unsafe pixels + (line - lines.lowerBound) * lineStep
      let target = unsafe output + line * lineByteCount
      guard let segments else {
        unsafe body(first, target)
        continue
      }
      unsafe body(first, joined)
      unsafe segments.separate(UnsafeRawPointer(joined), columnCount: columns.output, to: target)
    }
  }

  /// The weights of the convolution, as joined pixels need them if they are.
  func weights(_ source: ConstantWeights) -> ConstantWeights {
    segments?.joined(source, tapCount: tapCount) ?? source
  }

  /// How kernels find the taps, given the start of each of a window's rows.
  func window(rowOffsets: UnsafeBufferPointer<Int>) -> DepthwiseWindow? {
    guard let base = rowOffsets.baseAddress else { return nil }
    return unsafe DepthwiseWindow(rowOffsets: base, rowCount: rowOffsets.count, shape)
  }
}
