// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `BATCH_MATMUL` of single rows of floats and matrices that another node computes, as in attention
/// to one position: packing would take longer than multiplying.
final class RowTimesMatrices: BlockKernel {
  private typealias Lanes = SIMD16<Float>
  /// Products in a nanosecond, roughly.
  private static let productsPerNanosecond = 4.0

  private let nest: BatchMatMulNest
  private let pairs: [MatrixPair]
  private let range: ActivationRange<Float>

  /// The products of `loop`; nil where they have several rows.
  init?(_ loop: BatchMatMulLoop<FloatConvolution>) {
    guard loop.nest.rowCount == 1, let pairs = MatrixPair.list(loop.nest) else { return nil }
    nest = loop.nest
    self.pairs = pairs
    range = loop.arithmetic.range
  }

  func blockCount(workerCount: Int) -> Int {
    let count = Double(pairs.count) * Double(nest.depth) * Double(nest.columnCount)
    return min(
      WorkShare.blockCount(
        nanoseconds: count / Self.productsPerNanosecond, workerCount: workerCount), pairs.count)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let left = unsafe frame.inputAddress(0), let right = unsafe frame.inputAddress(1) else {
      return
    }
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blockCount = blockCount(workerCount: workerCount)
    while let block = next() {
      for index in share(block, of: blockCount, pairs.count) {
        let row = unsafe left.assumingMemoryBound(to: Float.self) + pairs[index].left * nest.depth
        let matrix =
          unsafe right.assumingMemoryBound(to: Float.self)
          + pairs[index].right * nest.depth * nest.columnCount
        let results = unsafe output + index * nest.columnCount
        if nest.transposesRight {
          unsafe LaneRows(weights: matrix, vector: row, depth: nest.depth, order: .crosswise)
            .multiply(rowCount: nest.columnCount, starts: nil, to: results)
        } else {
          unsafe multiply(row, matrix, to: results)
        }
        for column in 0..<nest.columnCount {
          unsafe results[column] = range.clamp(results[column])
        }
      }
    }
  }

  /// The row's elements times the matrix' rows, added up.
  private func multiply(
    _ row: UnsafePointer<Float>, _ matrix: UnsafePointer<Float>,
    to results: UnsafeMutablePointer<Float>
  ) {
    let width = Lanes.scalarCount
    var column = 0
    while column + width <= nest.columnCount {
      var sums = Lanes.zero
      var weights = unsafe UnsafeRawPointer(matrix + column)
      for index in 0..<nest.depth {
        sums += unsafe row[index] * weights.loadUnaligned(as: Lanes.self)
        unsafe weights += nest.columnCount &* 4
      }
      unsafe UnsafeMutableRawPointer(results + column).storeBytes(of: sums, as: Lanes.self)
      column += width
    }
    for column in column..<nest.columnCount {
      var sum: Float = 0
      for index in 0..<nest.depth {
        sum += unsafe row[index] * matrix[index &* nest.columnCount &+ column]
      }
      unsafe results[column] = sum
    }
  }
}
