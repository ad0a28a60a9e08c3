// SPDX-License-Identifier: Apache-2.0

internal import Microkernels

/// Windows of a line, and what a check expects of them.
struct PoolShape {
  let windows: Int
  /// Pixels from one window to the next.
  let step: Int
  let rows: Int
  let columns: Int

  /// Windows side by side, apart and overlapping, one and several.
  static let all = [
    Self(windows: 5, step: 2, rows: 3, columns: 4), Self(windows: 1, step: 1, rows: 2, columns: 2),
    Self(windows: 2, step: 1, rows: 1, columns: 3), Self(windows: 11, step: 3, rows: 2, columns: 1),
    Self(windows: 70, step: 2, rows: 2, columns: 2),
  ]

  /// Pixels from one row to the next.
  private var width: Int { (windows - 1) * step + columns }

  var pixelCount: Int { rows * width }

  /// The windows of pixels of so many bytes.
  func line(
    _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, pixelSize: Int
  ) -> PoolLine {
    unsafe PoolLine(
      input: input, end: input + pixelCount * pixelSize, output: output, count: windows,
      step: step * pixelSize, rowCount: rows, rowStep: width * pixelSize, columnCount: columns,
      pixelSize: pixelSize)
  }

  /// The results of all windows: what `body` makes of the indices of a channel's elements.
  func results<Element>(depth: Int, _ body: (_ elements: [Int]) -> Element) -> [Element] {
    (0..<windows * depth).map { index in
      let (window, channel) = index.quotientAndRemainder(dividingBy: depth)
      return body(
        (0..<rows * columns).map { tap in
          let (row, column) = tap.quotientAndRemainder(dividingBy: columns)
          return (row * width + window * step + column) * depth + channel
        })
    }
  }
}
