// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Means of rows of floats: the same results as the reference kernel.
///
/// A sum is one chain of additions, each of which waits for the one before. Eight rows are summed
/// side by side.
final class RowMean: BlockKernel {
  private static let width = 8

  private let rowCount: Int
  private let rowLength: Int

  /// The means of `loop`; nil where results are not means of neighbouring elements.
  init?(_ loop: ReductionLoop<FloatMeanReduction>) {
    let axes = loop.axes
    guard !axes.isEmpty, axes.reduced.count == 1, let row = axes.reduced.first, row.stride == 1,
      row.length == axes.count, axes.kept.count == 1, let kept = axes.kept.first,
      kept.stride == row.length
    else { return nil }
    (rowCount, rowLength) = (kept.length, row.length)
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
          var sum = unsafe elements[0]
          for index in 1..<rowLength { sum += unsafe elements[index] }
          sums[row] = sum
        }
      }
      let means = sums / Float(rowLength)
      for row in 0..<count { unsafe output[first + row] = means[row] }
    }
  }

  private func sumsOfEight(_ rows: UnsafePointer<Float>) -> SIMD8<Float> {
    let (a, b, c, d) = unsafe (
      rows, rows + rowLength, rows + 2 * rowLength, rows + 3 * rowLength
    )
    let (e, f, g, h) = unsafe (
      a + 4 * rowLength, b + 4 * rowLength, c + 4 * rowLength, d + 4 * rowLength
    )
    var left = unsafe SIMD4(a[0], b[0], c[0], d[0])
    var right = unsafe SIMD4(e[0], f[0], g[0], h[0])
    for index in 1..<rowLength {
      left += unsafe SIMD4(a[index], b[index], c[index], d[index])
      right += unsafe SIMD4(e[index], f[index], g[index], h[index])
    }
    return SIMD8(lowHalf: left, highHalf: right)
  }
}
