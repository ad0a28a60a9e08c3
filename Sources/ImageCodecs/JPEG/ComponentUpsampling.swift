// SPDX-License-Identifier: Apache-2.0

/// How the samples of a component become one for each pixel.
///
/// Where a component has half of the image's columns or rows, a pixel takes three quarters of the
/// nearest sample and one quarter of the next one, in each direction that is halved: libjpeg's
/// "fancy upsampling" (`jdsample.c`), with its rounding and its exceptions. With other factors, and
/// in two columns or less, samples are repeated. Outside the component, its edge goes on.
struct ComponentUpsampling {
  /// The samples that the image's size asks for; those behind them only fill blocks.
  let columnCount: Int
  let rowCount: Int

  private let horizontalSampling: Int
  private let verticalSampling: Int
  private let fullHorizontalSampling: Int
  private let fullVerticalSampling: Int

  /// A pixel takes samples of two columns.
  private let smoothsColumns: Bool
  /// A pixel takes samples of two rows.
  private let smoothsRows: Bool

  // Sums of two rows, with one more sum at either end.
  private var sums: [Int16]

  init(_ component: JPEGComponent, of frame: JPEGFrame) {
    columnCount = component.columns
    rowCount = component.rows
    horizontalSampling = component.horizontalSampling
    verticalSampling = component.verticalSampling
    fullHorizontalSampling = frame.largestHorizontalSampling
    fullVerticalSampling = frame.largestVerticalSampling
    let halvesColumns = 2 * horizontalSampling == fullHorizontalSampling
    let halvesRows = 2 * verticalSampling == fullVerticalSampling
    let hasAllRows = verticalSampling == fullVerticalSampling
    smoothsColumns = halvesColumns && (halvesRows || hasAllRows) && columnCount > 2
    smoothsRows = halvesRows && (smoothsColumns || horizontalSampling == fullHorizontalSampling)
    sums = Array(repeating: 0, count: smoothsColumns ? columnCount + 2 : 0)
  }

  /// The samples of a row are the pixels of a line.
  var isDirect: Bool { horizontalSampling == fullHorizontalSampling && !smoothsRows }

  /// Rows of a component that a line of pixels is made of, and which of them weighs more.
  struct Rows: Equatable {
    var near: Int
    /// The row that gives one quarter; nil where rows are not mixed.
    var far: Int?
    /// The line is above the middle of the nearer row.
    var isUpper = false
  }

  /// The rows that a line of the image is made of.
  func rows(ofLine line: Int) -> Rows {
    let near = line * verticalSampling / fullVerticalSampling
    guard smoothsRows else { return Rows(near: near) }
    let isUpper = line & 1 == 0
    let far = isUpper ? max(0, near - 1) : min(rowCount - 1, near + 1)
    return Rows(near: near, far: far, isUpper: isUpper)
  }

  /// Writes a line of the image.
  ///
  /// - Parameters:
  ///   - near: the nearer row, `columnCount` samples or more.
  ///   - far: the row that gives one quarter; the same as `near` where rows are not mixed.
  ///   - isUpper: the line is above the middle of the nearer row.
  ///   - line: a sample for each pixel.
  @_lifetime(line: copy line)
  mutating func write(
    _ near: Span<UInt8>, _ far: Span<UInt8>, isUpper: Bool, to line: inout MutableSpan<UInt8>
  ) {
    switch (smoothsColumns, smoothsRows) {
    case (false, false): repeatColumns(near, to: &line)
    case (false, true):
      let bias: Int16 = isUpper ? 1 : 2
      for column in line.indices {
        let sum = 3 &* Int16(near[column]) &+ Int16(far[column]) &+ bias
        line[column] = UInt8(truncatingIfNeeded: sum &>> 2)
      }
    case (true, false):
      for column in 0..<columnCount { sums[column + 1] = Int16(near[column]) }
      mixColumns(bias: (1, 2), shift: 2, to: &line)
    case (true, true):
      for column in 0..<columnCount {
        sums[column + 1] = 3 &* Int16(near[column]) &+ Int16(far[column])
      }
      mixColumns(bias: (8, 7), shift: 4, to: &line)
    }
  }

  @_lifetime(line: copy line)
  private func repeatColumns(_ samples: Span<UInt8>, to line: inout MutableSpan<UInt8>) {
    for column in line.indices {
      line[column] = samples[column * horizontalSampling / fullHorizontalSampling]
    }
  }

  /// Mixes each sum with its neighbor to the left, then with that to the right.
  private mutating func mixColumns(
    bias: (left: Int16, right: Int16), shift: Int16, to line: inout MutableSpan<UInt8>
  ) {
    sums[0] = sums[1]
    sums[columnCount + 1] = sums[columnCount]
    let sums = sums.span
    for column in 0..<line.count / 2 {
      let triple = 3 &* sums[column &+ 1]
      let left = triple &+ sums[column] &+ bias.left
      let right = triple &+ sums[column &+ 2] &+ bias.right
      line[2 &* column] = UInt8(truncatingIfNeeded: left &>> shift)
      line[2 &* column &+ 1] = UInt8(truncatingIfNeeded: right &>> shift)
    }
    guard line.count % 2 == 1 else { return }
    let last = 3 &* sums[columnCount] &+ sums[columnCount &- 1] &+ bias.left
    line[line.count &- 1] = UInt8(truncatingIfNeeded: last &>> shift)
  }
}
