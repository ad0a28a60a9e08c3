// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `FULLY_CONNECTED` of several rows of floats with a single unit, as in attention: packed, its
/// weights would fill one lane of each vector.
final class SingleUnit: RegionKernel {
  /// Rows that are worth it.
  private static let leastRows = 4
  /// Products in a nanosecond, roughly.
  private static let productsPerNanosecond = 16.0

  private let rowCount: Int
  private let depth: Int
  private let range: ActivationRange<Float>

  /// The products of `loop`; nil where it has several units or too few rows.
  init?(_ loop: ConvolutionLoop<FullyConnectedNest, FloatConvolution>) {
    let nest = loop.nest
    guard nest.outputDepth == 1, nest.batchCount >= Self.leastRows else { return nil }
    rowCount = nest.batchCount
    depth = nest.inputCount
    range = loop.arithmetic.range
  }

  func blockCount(workerCount: Int) -> Int {
    min(
      WorkShare.blockCount(
        nanoseconds: Double(rowCount) * Double(depth) / Self.productsPerNanosecond,
        workerCount: workerCount),
      rowCount)
  }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    body(share(block, of: blockCount(workerCount: workerCount), rowCount))
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0), let filter = unsafe frame.inputAddress(1) else {
      return
    }
    let bias = unsafe frame.inputAddress(2)?.loadUnaligned(as: Float.self) ?? 0
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blockCount = blockCount(workerCount: workerCount)
    while let block = next() {
      let rows = share(block, of: blockCount, rowCount)
      let results = unsafe output + rows.lowerBound
      unsafe LaneRows(
        weights: input.assumingMemoryBound(to: Float.self) + rows.lowerBound * depth,
        vector: filter.assumingMemoryBound(to: Float.self), depth: depth, order: .crosswise
      ).multiply(rowCount: rows.count, starts: nil, to: results)
      for row in 0..<rows.count { unsafe results[row] = range.clamp(results[row] + bias) }
    }
  }
}
