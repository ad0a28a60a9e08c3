// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

/// Where the left rows of a product lie: each is made of taps, runs of bytes found by pointers.
///
/// A matrix product has one tap per row. A convolution has a row for each output pixel and a tap
/// for each of the window's pixels; where pixels are small and not dilated, a tap is a whole row of
/// the window, which is contiguous in the input.
struct ProductRows: Sendable {
  /// Rows in all.
  let rowCount: Int
  /// Taps of each row.
  let tapCount: Int
  /// Bytes of each tap.
  let tapByteCount: Int
  /// The pixels that the rows are, where each is one.
  let pixels: RowPixels?
  /// Bytes from one row to the next; nil where rows are windows over images.
  private let stride: Int?
  private let windows: SlidingWindows?

  /// The rows of a matrix, behind each other.
  init(rowCount: Int, rowByteCount: Int) {
    self.rowCount = rowCount
    tapCount = 1
    tapByteCount = rowByteCount
    pixels = nil
    (stride, windows) = (rowByteCount, nil)
  }

  /// The windows of a convolution whose channels take `elementByteCount` bytes each, over the whole
  /// batch or some images of it.
  init(_ nest: Conv2DNest, elementByteCount: Int, imageCount: Int? = nil) {
    let geometry = nest.geometry
    let (rows, columns) = (geometry.rows, geometry.columns)
    let pixelByteCount = nest.inputDepth * elementByteCount
    rowCount = (imageCount ?? nest.batchCount) * geometry.outputCount
    let readsPixels = rows.window == 1 && columns.window == 1
    if readsPixels && rows.stride == 1 && columns.stride == 1 {
      tapCount = 1
      tapByteCount = nest.groupDepth * elementByteCount
      pixels = RowPixels(
        imageCount: imageCount ?? nest.batchCount, lineCount: rows.output, width: columns.output)
      (stride, windows) = (pixelByteCount, nil)
      return
    }
    let hasGroups = nest.groupDepth != nest.inputDepth
    if !hasGroups, geometry.isPartsOfLine, (imageCount ?? nest.batchCount) == 1 {
      tapCount = 1
      tapByteCount = columns.window * pixelByteCount
      pixels = nil
      (stride, windows) = (columns.stride * pixelByteCount, nil)
      return
    }
    let windows = SlidingWindows(geometry, pixelByteCount: pixelByteCount, hasGroups: hasGroups)
    tapCount = windows.tapCount
    pixels = nil
    tapByteCount =
      windows.isMerged
      ? columns.window * pixelByteCount : nest.groupDepth * elementByteCount
    (stride, self.windows) = (nil, windows)
  }

  /// The windows of `geometry` over pixels of `pixelByteCount` bytes.
  init(_ geometry: WindowGeometry, pixelByteCount: Int, imageCount: Int) {
    rowCount = imageCount * geometry.outputCount
    let windows = SlidingWindows(geometry, pixelByteCount: pixelByteCount, hasGroups: false)
    tapCount = windows.tapCount
    pixels = nil
    tapByteCount = (windows.isMerged ? geometry.columns.window : 1) * pixelByteCount
    (stride, self.windows) = (nil, windows)
  }

  /// The boxes of a convolution over volumes of floats.
  init(_ nest: Conv3DNest) {
    let pixelByteCount = nest.inputDepth * 4
    let windows = SlidingWindows(nest.geometry, pixelByteCount: pixelByteCount)
    rowCount = nest.batchCount * nest.geometry.outputCount
    tapCount = windows.tapCount
    pixels = nil
    tapByteCount = (windows.isMerged ? nest.geometry.axes[2].window : 1) * pixelByteCount
    (stride, self.windows) = (nil, windows)
  }

  /// Bytes of scratch memory that the pointers to `count` neighboring rows may need besides
  /// their own.
  func spillByteCount(rowCount count: Int) -> Int {
    windows?.spillByteCount(rowCount: count) ?? 0
  }

  /// Writes the pointers to `rows`: that of tap `t` of the first row to `pointers[t · rows.count]`.
  ///
  /// `input` is the first byte of the left operand; pointers into the padding are `padding`.
  func locate(
    _ rows: Range<Int>, input: UnsafeRawPointer, padding: UnsafeRawPointer,
    pointers: UnsafeMutablePointer<UnsafeRawPointer>, spill: UnsafeMutableRawPointer
  ) {
    guard let stride else {
      return unsafe locateWindows(
        rows, input: input, padding: padding, pointers: pointers, spill: spill)
    }
    unsafe fill(
      pointers, count: rows.count, from: input + rows.lowerBound &* stride, step: stride)
  }

  /// Apart, since what it copies of the windows takes as long as a small product.
  @inline(never)
  private func locateWindows(
    _ rows: Range<Int>, input: UnsafeRawPointer, padding: UnsafeRawPointer,
    pointers: UnsafeMutablePointer<UnsafeRawPointer>, spill: UnsafeMutableRawPointer
  ) {
    var target = unsafe WindowPointers(
      input: input, padding: padding, pointers: pointers, pitch: rows.count, spill: spill)
    unsafe windows?.locate(rows, &target)
  }
}

/// Writes `count` pointers at equal distances.
@inline(__always)
func fill(
  _ pointers: UnsafeMutablePointer<UnsafeRawPointer>, count: Int, from first: UnsafeRawPointer,
  step: Int
) {
  var pointer = unsafe first
  for index in 0..<count {
    unsafe (pointers + index).initialize(to: pointer)
    unsafe pointer += step
  }
}

extension WindowGeometry {
  /// Whether windows are parts of an image's only line, none of which reaches beyond its ends.
  fileprivate var isPartsOfLine: Bool {
    rows.input == 1 && rows.window == 1 && rows.output == 1 && rows.padding == 0
      && columns.dilation == 1 && columns.staysInside
  }
}
