// SPDX-License-Identifier: Apache-2.0

/// The window of a depthwise convolution.
package struct DepthwiseShape: Sendable, Hashable {
  /// Rows.
  package let rowCount: Int
  /// Columns.
  package let columnCount: Int
  /// Input pixels from one column to the next: the dilation.
  package let tapStep: Int
  /// Input pixels from one output pixel of a row to the next: the stride.
  package let step: Int

  /// A window of these measures.
  package init(rowCount: Int, columnCount: Int, tapStep: Int = 1, step: Int) {
    self.rowCount = rowCount
    self.columnCount = columnCount
    self.tapStep = tapStep
    self.step = step
  }

  /// The measures.
  package var parameters: [Int] { [rowCount, columnCount, tapStep, step] }

  /// Taps of the window.
  package var tapCount: Int { rowCount * columnCount }
}

/// Where a depthwise convolution finds the pixels under its window, in a table of pointers.
///
/// The table has a pointer for every input pixel of the rows that the window covers, those in the
/// padding included. The pixel under tap `(i, j)` for output pixel `o` is at
/// `rowOffsets[i] + o · step + j · tapStep`.
@unsafe
@frozen
@usableFromInline
package struct DepthwiseWindow {
  /// Where each of the window's rows has the first pixel for the first output pixel.
  @usableFromInline package var rowOffsets: UnsafePointer<Int>
  /// Rows of the window.
  @usableFromInline package var rowCount: Int
  /// Columns of the window.
  @usableFromInline package var columnCount: Int
  /// Pointers from one column of the window to the next: the dilation.
  @usableFromInline package var tapStep: Int
  /// Pointers from one output pixel to the next: the stride.
  @usableFromInline package var step: Int

  /// A window of this shape, save that it has `rowCount` rows where they are repeated.
  package init(rowOffsets: UnsafePointer<Int>, rowCount: Int, _ shape: DepthwiseShape) {
    unsafe self.rowOffsets = rowOffsets
    unsafe self.rowCount = rowCount
    unsafe columnCount = shape.columnCount
    unsafe tapStep = shape.tapStep
    unsafe step = shape.step
  }

  /// Taps of the window.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var tapCount: Int { unsafe rowCount &* columnCount }

  /// Writes for each tap, row after row, where its pixel for output pixel 0 is.
  func fill(_ offsets: UnsafeMutablePointer<Int>) {
    var target = unsafe offsets
    for row in unsafe 0..<rowCount {
      var offset = unsafe rowOffsets[row]
      for _ in unsafe 0..<columnCount {
        unsafe target.initialize(to: offset)
        unsafe target += 1
        unsafe offset &+= tapStep
      }
    }
  }
}

/// A window of `width` neighboring columns that moves by `step`; under the windows of a tile's
/// outputs lie `count` columns.
@usableFromInline
package enum SharedColumns<let width: Int, let step: Int, let count: Int> {}
