// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Means and sums of rows of floats: the same results as the reference kernel.
///
/// A sum is one chain of additions, each of which waits for the one before. Eight rows are summed
/// side by side.
final class RowSums: BlockKernel {
  private static let width = 8

  private let rowCount: Int
  private let rowLength: Int
  private let divisor: Float?

  /// The means of `loop`; nil where results are not means of neighboring elements.
  convenience init?(_ loop: ReductionLoop<FloatMeanReduction>) {
    self.init(loop.axes, divisor: Float(loop.axes.count))
  }

  /// The sums of `loop`; nil where results are not sums of neighboring elements, or only one is.
  convenience init?(_ loop: ReductionLoop<FloatSumReduction>) {
    self.init(loop.axes, divisor: nil)
  }

  private init?(_ axes: ReducedAxes, divisor: Float?) {
    guard let rowCount = axes.rowCount, axes.kept.count == 1 else { return nil }
    self.rowCount = rowCount
    rowLength = axes.count
    self.divisor = divisor
  }

  func blockCount(workerCount: Int) -> Int { (rowCount + Self.width - 1) / Self.width }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    while let block = next() {
      let first = block * Self.width
      let count = min(Self.width, rowCount - first)
      var sums = SIMD8<Float>.zero
      if count == Self.width {
        sums = unsafe sumsOfEight(input + first * rowLength)
      } else {
        for row in 0..<count {
          let elements = unsafe input + (first + row) * rowLength
          var sum: Float = 0
          for index in 0..<rowLength { sum += unsafe elements[index] }
          sums[row] = sum
        }
      }
      if let divisor { sums /= divisor }
      for row in 0..<count { unsafe output[first + row] = sums[row] }
    }
  }

  private func sumsOfEight(_ rows: UnsafePointer<Float>) -> SIMD8<Float> {
    let (a, b, c, d) = unsafe (
      rows, rows + rowLength, rows + 2 * rowLength, rows + 3 * rowLength
    )
    let (e, f, g, h) = unsafe (
      a + 4 * rowLength, b + 4 * rowLength, c + 4 * rowLength, d + 4 * rowLength
    )
    var (left, right) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for index in 0..<rowLength {
      left += unsafe SIMD4(a[index], b[index], c[index], d[index])
      right += unsafe SIMD4(e[index], f[index], g[index], h[index])
    }
    return SIMD8(lowHalf: left, highHalf: right)
  }
}

extension ReducedAxes {
  /// How many results there are where each is made of the elements of a row, or of all; else nil.
  var rowCount: Int? {
    guard !isEmpty, reduced.count == 1, let row = reduced.first, row.stride == 1,
      row.length == count
    else { return nil }
    guard let rows = kept.first else { return 1 }
    return kept.count == 1 && rows.stride == row.length ? rows.length : nil
  }
}
