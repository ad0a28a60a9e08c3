// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

/// The pixels that the windows of a depthwise convolution read, as pointers.
///
/// A block is some neighboring output rows of one image. Its table has a row of pointers for
/// each input row that its windows reach, padding at both ends included, so that every window finds
/// its taps at the same distances.
struct DepthwiseWindows: Sendable {
  /// Pointers that a block's table may have: 16 KiB stay in the first-level cache.
  private static let pointerLimit = 2048
  /// Pointers that the table of a single output row may have.
  private static let tableLimit = 1 << 18
  /// Bytes of activations and weights that are multiplied in a nanosecond, roughly.
  private static let bytesPerNanosecond = 40.0

  private let rows: WindowAxis
  private let columns: WindowAxis
  private let imageCount: Int
  private let pixelByteCount: Int
  /// Pointers for each input row.
  let rowPitch: Int
  /// The blocks for one worker: finding them takes as long as a small convolution.
  private var single: ImageLines?

  /// The windows of `nest` over pixels of `pixelByteCount` bytes; nil where dilation spreads them
  /// so far that a table would be mostly padding.
  init?(_ nest: DepthwiseConv2DNest, pixelByteCount: Int) {
    rows = nest.geometry.rows
    columns = nest.geometry.columns
    imageCount = nest.batchCount
    self.pixelByteCount = pixelByteCount
    rowPitch = Self.reach(columns, positions: columns.output)
    let height = Self.reach(rows, positions: 1)
    guard rowPitch <= Self.tableLimit, height <= Self.tableLimit / max(rowPitch, 1) else {
      return nil
    }
    single = blocks(workerCount: 1)
  }

  /// Input elements from the first window's first tap to the last window's last one.
  private static func reach(_ axis: WindowAxis, positions: Int) -> Int {
    guard positions > 0 else { return 0 }
    return (positions - 1) * axis.stride + (axis.window - 1) * axis.dilation + 1
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
  /// Pointers from one output row to the next.
  var lineStep: Int { rows.stride * rowPitch }

  /// How the output rows are cut into blocks for so many workers.
  func blocks(workerCount: Int) -> ImageLines {
    if workerCount == 1, let single { return single }
    let inputRows = Self.pointerLimit / max(rowPitch, 1)
    let most = max((inputRows - Self.reach(rows, positions: 1)) / rows.stride + 1, 1)
    let bytes = Double(imageCount * rows.output) * Double(columns.output * pixelByteCount)
    return ImageLines(
      imageCount: imageCount, lineCount: rows.output, mostLines: most,
      nanoseconds: bytes * Double(tapCount) / Self.bytesPerNanosecond, workerCount: workerCount)
  }

  /// Pointers in the table of a block of that many output rows.
  func pointerCount(lineCount: Int) -> Int {
    Self.reach(rows, positions: lineCount) * rowPitch
  }

  /// Writes the table of a block whose output rows are `lines`.
  ///
  /// `input` is the first image's first byte; pointers into the padding are `padding`.
  func locate(
    _ lines: Range<Int>, input: UnsafeRawPointer, padding: UnsafeRawPointer,
    pointers: UnsafeMutablePointer<UnsafeRawPointer>
  ) {
    let image = lines.lowerBound / rows.output
    let origin = rows.origin(lines.lowerBound % rows.output)
    let before = min(columns.padding, rowPitch)
    let inside = max(min(columns.input, rowPitch - before), 0)
    var target = unsafe pointers
    for row in origin..<origin + Self.reach(rows, positions: lines.count) {
      if row >= 0 && row < rows.input {
        let first = (image * rows.input + row) * columns.input * pixelByteCount
        unsafe fill(target, count: before, from: padding, step: 0)
        unsafe fill(target + before, count: inside, from: input + first, step: pixelByteCount)
        unsafe fill(
          target + (before + inside), count: rowPitch - before - inside, from: padding, step: 0)
      } else {
        unsafe fill(target, count: rowPitch, from: padding, step: 0)
      }
      unsafe target += rowPitch
    }
  }

  /// How kernels find the taps, given the start of each of a window's rows.
  func window(rowOffsets: UnsafeBufferPointer<Int>) -> DepthwiseWindow? {
    guard let base = rowOffsets.baseAddress else { return nil }
    return unsafe DepthwiseWindow(rowOffsets: base, rowCount: rowOffsets.count, shape)
  }
}
