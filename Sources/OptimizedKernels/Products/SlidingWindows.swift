// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

/// The windows of a convolution over images or volumes, each as pointers into the input.
///
/// Taps are the window's pixels or, where those are small, its rows. A row that reaches beyond the
/// image's left or right end is then copied, padded, to scratch memory.
struct SlidingWindows: Sendable {
  /// Bytes of a window's row up to which it is one tap where some windows reach beyond the image:
  /// copying more would cost too much.
  private static let mergedLimit = 256

  /// The axis that volumes have besides those of their planes, which are images.
  private let planes: WindowAxis?
  private let rows: WindowAxis
  private let columns: WindowAxis
  private let pixelByteCount: Int
  /// Output columns whose windows lie within the image's width.
  private let interior: Range<Int>
  /// Whether each row of the window is one tap.
  let isMerged: Bool

  /// The windows of `geometry`; with groups, taps are shorter than pixels.
  init(_ geometry: WindowGeometry, pixelByteCount: Int, hasGroups: Bool) {
    self.init(
      planes: nil, rows: geometry.rows, columns: geometry.columns, pixelByteCount: pixelByteCount,
      hasGroups: hasGroups)
  }

  /// The boxes of `geometry`.
  init(_ geometry: VolumeGeometry, pixelByteCount: Int) {
    self.init(
      planes: geometry.axes[0], rows: geometry.axes[1], columns: geometry.axes[2],
      pixelByteCount: pixelByteCount, hasGroups: false)
  }

  private init(
    planes: WindowAxis?, rows: WindowAxis, columns: WindowAxis, pixelByteCount: Int,
    hasGroups: Bool
  ) {
    self.planes = planes
    self.rows = rows
    self.columns = columns
    self.pixelByteCount = pixelByteCount
    isMerged =
      !hasGroups && columns.window > 1 && columns.dilation == 1
      && (columns.staysInside || columns.window * pixelByteCount <= Self.mergedLimit)
    interior = Self.columns(columns, with: 0, length: columns.window)
  }

  /// The pointers of each window.
  var tapCount: Int { isMerged ? windowRowCount : windowRowCount * columns.window }

  /// The rows of a window, of all its planes.
  private var windowRowCount: Int { (planes?.window ?? 1) * rows.window }

  /// Bytes that the copied rows of `count` neighboring windows may take.
  func spillByteCount(rowCount count: Int) -> Int {
    guard isMerged else { return 0 }
    let lines = count / max(columns.output, 1) + 2
    let copies = min(count, lines * (columns.output - interior.count))
    return copies * windowRowCount * columns.window * pixelByteCount
  }

  /// The output columns for which `length` input elements from `offset` on lie in the input.
  private static func columns(
    _ axis: WindowAxis, with offset: Int, length: Int
  ) -> Range<Int> {
    let start = axis.padding - offset
    let first = min(start <= 0 ? 0 : (start + axis.stride - 1) / axis.stride, axis.output)
    let room = axis.input - length + start
    let end = room < 0 ? 0 : min(room / axis.stride + 1, axis.output)
    return first..<max(first, end)
  }

  /// Writes the pointers of the windows `outputs`, which count through images row by row.
  func locate(_ outputs: Range<Int>, _ target: inout WindowPointers) {
    var output = outputs.lowerBound
    while output < outputs.upperBound {
      let line = output / columns.output
      let first = output % columns.output
      let count = min(outputs.upperBound - output, columns.output - first)
      let (image, origin) = (line / rows.output, rows.origin(line % rows.output))
      let outputs = first..<first + count
      if let planes {
        let (volume, plane) = image.quotientAndRemainder(dividingBy: planes.output)
        let front = planes.origin(plane)
        let inside = planes.taps(from: front)
        for tap in 0..<planes.window {
          let image = volume * planes.input + front + tap * planes.dilation
          unsafe locateRows(
            of: inside.contains(tap) ? image : nil, from: origin, outputs,
            firstTap: tap * rows.window, &target)
        }
      } else {
        unsafe locateRows(of: image, from: origin, outputs, firstTap: 0, &target)
      }
      unsafe target.pointers += count
      output += count
    }
  }

  /// The rows of an image that windows read whose first one is `origin`; all padding where there is no
  /// image.
  @inline(__always)
  private func locateRows(
    of image: Int?, from origin: Int, _ outputs: Range<Int>, firstTap: Int,
    _ target: inout WindowPointers
  ) {
    for tap in 0..<rows.window {
      let row = origin + tap * rows.dilation
      let isInside = row >= 0 && row < rows.input
      let inputRow = isInside ? image.map { ($0 * rows.input + row) * columns.input } : nil
      if isMerged {
        unsafe locateRow(inputRow, outputs, tap: firstTap + tap, &target)
      } else {
        unsafe locatePixels(inputRow, outputs, rowTap: firstTap + tap, &target)
      }
    }
  }

  /// The pixels that one row of the window reads, tap by tap; `inputRow` is the row's first pixel.
  private func locatePixels(
    _ inputRow: Int?, _ outputs: Range<Int>, rowTap: Int, _ target: inout WindowPointers
  ) {
    let padding = unsafe target.padding
    for columnTap in 0..<columns.window {
      let offset = columnTap * columns.dilation
      let tap = rowTap * columns.window + columnTap
      var pointers = unsafe target.pointers + tap * target.pitch
      let inside = Self.columns(columns, with: offset, length: 1).clamped(to: outputs)
      guard let inputRow, !inside.isEmpty else {
        unsafe fill(pointers, count: outputs.count, from: padding, step: 0)
        continue
      }
      let before = inside.lowerBound - outputs.lowerBound
      unsafe fill(pointers, count: before, from: padding, step: 0)
      unsafe pointers += before
      let pixel = inputRow + columns.origin(inside.lowerBound) + offset
      unsafe fill(
        pointers, count: inside.count, from: target.input + pixel * pixelByteCount,
        step: columns.stride * pixelByteCount)
      unsafe pointers += inside.count
      unsafe fill(
        pointers, count: outputs.upperBound - inside.upperBound, from: padding, step: 0)
    }
  }

  /// One row of the window as a single tap.
  private func locateRow(
    _ inputRow: Int?, _ outputs: Range<Int>, tap: Int, _ target: inout WindowPointers
  ) {
    let pointers = unsafe target.pointers + tap * target.pitch
    guard let inputRow else {
      unsafe fill(pointers, count: outputs.count, from: target.padding, step: 0)
      return
    }
    let inside = interior.clamped(to: outputs)
    for column in outputs.lowerBound..<inside.lowerBound {
      unsafe (pointers + (column - outputs.lowerBound)).initialize(
        to: copyBorder(inputRow, column, &target))
    }
    let pixel = inputRow + columns.origin(inside.lowerBound)
    if !inside.isEmpty {
      unsafe fill(
        pointers + (inside.lowerBound - outputs.lowerBound), count: inside.count,
        from: target.input + pixel * pixelByteCount, step: columns.stride * pixelByteCount)
    }
    for column in inside.upperBound..<outputs.upperBound {
      unsafe (pointers + (column - outputs.lowerBound)).initialize(
        to: copyBorder(inputRow, column, &target))
    }
  }

  /// A copy of a window's row that reaches into the padding.
  private func copyBorder(
    _ inputRow: Int, _ column: Int, _ target: inout WindowPointers
  ) -> UnsafeRawPointer {
    let origin = columns.origin(column)
    let byteCount = columns.window * pixelByteCount
    let copy = unsafe target.spill
    unsafe target.spill += byteCount
    unsafe copy.copyMemory(from: target.padding, byteCount: byteCount)
    let taps = columns.taps(from: origin)
    if !taps.isEmpty {
      unsafe (copy + taps.lowerBound * pixelByteCount).copyMemory(
        from: target.input + (inputRow + origin + taps.lowerBound) * pixelByteCount,
        byteCount: taps.count * pixelByteCount)
    }
    return UnsafeRawPointer(copy)
  }
}

/// Where the pointers of windows go.
@unsafe
struct WindowPointers {
  /// The first byte of the input.
  let input: UnsafeRawPointer
  /// As many bytes as a tap has, each the quantized value of zero.
  let padding: UnsafeRawPointer
  /// The first tap's pointer of the next window.
  var pointers: UnsafeMutablePointer<UnsafeRawPointer>
  /// Pointers from one tap to the next.
  let pitch: Int
  /// Where the next copied row goes.
  var spill: UnsafeMutableRawPointer
}
