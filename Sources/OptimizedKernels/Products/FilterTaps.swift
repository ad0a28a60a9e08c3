// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

/// Which weights of a filter a product takes, and how it wants them: the taps of a window that some
/// output has in the image, each row of them filled up to a number of rows of the matrix.
struct FilterTaps: Sendable {
  /// Rows and columns of the filter.
  private let rowCount: Int
  private let columnCount: Int
  /// Those that are used.
  private let rows: Range<Int>
  private let columns: Range<Int>
  /// Channels of a tap.
  private let channelCount: Int
  /// Weights of a row of taps, with what it is filled up with.
  private let rowDepth: Int
  /// Weights of each column of the matrix.
  let depth: Int

  /// The used taps of `geometry`, of `channelCount` channels, with rows of taps, or all of them
  /// together if `joinsRows`, filled up to a multiple of `step` weights.
  init(
    _ geometry: WindowGeometry, channelCount: Int, step: Int = 1, joinsRows: Bool = false
  ) {
    rowCount = geometry.rows.window
    columnCount = geometry.columns.window
    let used = geometry.usedTaps
    rows = used.rows
    columns = used.columns
    self.channelCount = channelCount
    let width = columns.count * channelCount
    rowDepth = joinsRows ? width : (width + step - 1) / step * step
    depth = (rows.count * rowDepth + step - 1) / step * step
  }

  /// What they are told apart by.
  var parameters: [Int] {
    [
      rows.lowerBound, rows.upperBound, columns.lowerBound, columns.upperBound, rowCount,
      columnCount, channelCount, rowDepth,
    ]
  }

  /// Whether the filter is the matrix as it is.
  var isWhole: Bool {
    rows.count == rowCount && columns.count == columnCount
      && depth == rowCount * columnCount * channelCount
  }

  /// The columns of the matrix behind each other, made of a filter of `count` output channels.
  ///
  /// `columnStride` is the distance of a filter's output channels, `depthStride` that of the weights
  /// of one; `filler` is a weight that contributes nothing.
  func arranged<Weight: BitwiseCopyable>(
    _ filter: UnsafePointer<Weight>, count: Int, columnStride: Int, depthStride: Int,
    filler: Weight
  ) -> [Weight] {
    let length = columns.count * channelCount
    let end = depth - rows.count * rowDepth
    return unsafe [Weight](unsafeUninitializedCapacity: count * depth) { result, filledCount in
      guard var target = result.baseAddress else { return }
      for column in 0..<count {
        for row in rows {
          let first = (row * columnCount + columns.lowerBound) * channelCount
          let source = unsafe filter + (column * columnStride + first * depthStride)
          if depthStride == 1 {
            unsafe target.initialize(from: source, count: length)
          } else {
            for k in 0..<length { unsafe target[k] = source[k &* depthStride] }
          }
          unsafe (target + length).initialize(repeating: filler, count: rowDepth - length)
          unsafe target += rowDepth
        }
        unsafe target.initialize(repeating: filler, count: end)
        unsafe target += end
      }
      filledCount = count * depth
    }
  }
}

extension WindowGeometry {
  /// The taps of each axis that some output has in the image; all of them where none has any.
  fileprivate var usedTaps: (rows: Range<Int>, columns: Range<Int>) {
    let (used, other) = (rows.usedTaps, columns.usedTaps)
    guard !used.isEmpty, !other.isEmpty else { return (0..<rows.window, 0..<columns.window) }
    return (used, other)
  }

  /// The geometry without the taps that no output has in the image.
  var withoutUnusedTaps: WindowGeometry {
    let used = usedTaps
    return WindowGeometry(
      rows: WindowAxis(rows, taps: used.rows), columns: WindowAxis(columns, taps: used.columns))
  }
}
