// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `FULLY_CONNECTED` of floats whose rows and weights are multiplied where they lie: of several rows
/// with a single unit, as in attention, where packed weights would fill one lane of each vector, and of
/// few rows with weights that another node computes, where packing would take longer than multiplying.
final class UnpackedRows: RegionKernel {
  /// Rows that are worth it with a single unit.
  private static let leastRows = 4
  /// Rows up to which computed weights are not packed.
  private static let mostRows = 4

  private let size: UnpackedSize
  private let range: ActivationRange<Float>

  /// The products of `loop`; nil where packing is worth it.
  init?(_ loop: ConvolutionLoop<FullyConnectedNest, FloatConvolution>, _ node: PrepareContext) {
    let nest = loop.nest
    let filter = FullyConnectedNest.positions.filter
    let isComputed =
      node.inputs.indices.contains(filter) && node.inputs[filter]?.isConstant == false
    guard
      nest.outputDepth == 1 && nest.batchCount >= Self.leastRows
        || isComputed && loop.unpackedFilter == nil && nest.batchCount <= Self.mostRows
    else { return nil }
    size = UnpackedSize(nest)
    range = loop.arithmetic.range
  }

  /// What blocks share: rows, or units where these are more than one.
  private var sharedCount: Int { size.unitCount == 1 ? size.rowCount : size.unitCount }

  func blockCount(workerCount: Int) -> Int {
    size.blockCount(of: sharedCount, workerCount: workerCount)
  }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    let part = share(block, of: blockCount(workerCount: workerCount), sharedCount)
    let unitCount = size.unitCount
    guard unitCount > 1 else { return body(part) }
    for row in 0..<size.rowCount {
      body(row * unitCount + part.lowerBound..<row * unitCount + part.upperBound)
    }
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0)?.assumingMemoryBound(to: Float.self),
      let filter = unsafe frame.inputAddress(1)?.assumingMemoryBound(to: Float.self)
    else { return }
    let bias = unsafe frame.inputAddress(2)?.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blockCount = blockCount(workerCount: workerCount)
    let (unitCount, depth) = (size.unitCount, size.depth)
    while let block = next() {
      let part = share(block, of: blockCount, sharedCount)
      guard unitCount > 1 else {
        unsafe multiply(
          input + part.lowerBound * depth, by: filter, rowCount: part.count,
          to: output + part.lowerBound)
        for row in part { unsafe output[row] = range.clamp(output[row] + (bias?[0] ?? 0)) }
        continue
      }
      for row in 0..<size.rowCount {
        let results = unsafe output + row * unitCount
        unsafe multiply(
          filter + part.lowerBound * depth, by: input + row * depth, rowCount: part.count,
          to: results + part.lowerBound)
        for unit in part { unsafe results[unit] = range.clamp(results[unit] + (bias?[unit] ?? 0)) }
      }
    }
  }

  /// The products of some rows of a matrix with a vector.
  private func multiply(
    _ matrix: UnsafePointer<Float>, by vector: UnsafePointer<Float>, rowCount: Int,
    to results: UnsafeMutablePointer<Float>
  ) {
    unsafe LaneRows(weights: matrix, vector: vector, depth: size.depth, order: .crosswise)
      .multiply(rowCount: rowCount, starts: nil, to: results)
  }
}
