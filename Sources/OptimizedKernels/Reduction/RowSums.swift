// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Means and sums of rows of floats.
///
/// Short rows are summed in the reference kernel's order. Longer ones have sixteen sums, of every
/// sixteenth element, which are added up in pairs: additions that need not wait for each other.
final class RowSums: BlockKernel {
  private typealias Lanes = SIMD16<Float>

  private let rowCount: Int
  private let rowLength: Int
  private let divisor: Float?

  /// The means of `loop`; nil where results are not means of neighboring elements.
  convenience init?(_ loop: ReductionLoop<FloatMeanReduction>) {
    self.init(loop.axes, divisor: Float(loop.axes.count))
  }

  /// The sums of `loop`; nil where results are not sums of neighboring elements.
  convenience init?(_ loop: ReductionLoop<FloatSumReduction>) {
    self.init(loop.axes, divisor: nil)
  }

  private init?(_ axes: ReducedAxes, divisor: Float?) {
    guard let rowCount = axes.rowCount else { return nil }
    self.rowCount = rowCount
    rowLength = axes.count
    self.divisor = divisor
  }

  private func blocks(_ workerCount: Int) -> ElementBlocks {
    ElementBlocks(rowCount, rowLength: rowLength, workerCount: workerCount)
  }

  func blockCount(workerCount: Int) -> Int { blocks(workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blocks = blocks(workerCount)
    while let block = next() {
      for row in blocks[block] {
        let sum = unsafe sum(input + row * rowLength)
        unsafe output[row] = divisor.map { sum / $0 } ?? sum
      }
    }
  }

  @inline(__always)
  private func sum(_ row: UnsafePointer<Float>) -> Float {
    var (sum, start): (Float, Int) = (0, 0)
    if rowLength >= Lanes.scalarCount {
      var lanes = Lanes.zero
      while start &+ Lanes.scalarCount <= rowLength {
        lanes += unsafe UnsafeRawPointer(row + start).loadUnaligned(as: Lanes.self)
        start &+= Lanes.scalarCount
      }
      let eight = lanes.lowHalf + lanes.highHalf
      let four = eight.lowHalf + eight.highHalf
      let two = four.lowHalf + four.highHalf
      sum = two[0] + two[1]
    }
    for index in start..<rowLength { sum += unsafe row[index] }
    return sum
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
