// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `FULLY_CONNECTED` of floats whose rows and weights are multiplied where they lie: of several rows
/// with a single unit, as in attention, where packed weights would fill one lane of each vector; of a
/// single row, which multiplies each weight once; and of few rows with weights that another node
/// computes, where packing would take longer than multiplying.
final class UnpackedRows: RegionKernel {
  /// Rows that are worth it with a single unit.
  private static let leastRows = 4
  /// Rows up to which computed weights are not packed.
  private static let mostRows = 4
  /// Constant weights from which those of a single row stay unpacked.
  private static let leastWeights = 16 * 1024
  /// Elements of a row from which adding up a sum's lanes is little beside the sum.
  private static let leastDepth = 128

  private let size: UnpackedSize
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels

  /// The products of `loop`; nil where packing is worth it.
  init?(
    _ loop: ConvolutionLoop<FullyConnectedNest, FloatConvolution>, _ node: PrepareContext,
    _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    let filter = FullyConnectedNest.positions.filter
    let isComputed =
      node.inputs.indices.contains(filter) && node.inputs[filter]?.isConstant == false
    let isLarge =
      nest.inputCount >= Self.leastDepth
      && nest.outputDepth >= Self.leastWeights / nest.inputCount
    let mostRows = isComputed ? Self.mostRows : isLarge ? 1 : 0
    guard
      nest.outputDepth == 1 && nest.batchCount >= Self.leastRows
        || loop.unpackedFilter == nil && nest.batchCount <= mostRows
    else { return nil }
    size = UnpackedSize(nest)
    range = loop.arithmetic.range
    kernels = set.float
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
        unsafe multiply(
          filter + part.lowerBound * depth, by: input + row * depth, rowCount: part.count,
          bias: bias.map { unsafe $0 + part.lowerBound }, range: range,
          to: output + row * unitCount + part.lowerBound)
      }
    }
  }

  /// The products of some rows of a matrix with a vector.
  private func multiply(
    _ matrix: UnsafePointer<Float>, by vector: UnsafePointer<Float>, rowCount: Int,
    bias: UnsafePointer<Float>? = nil,
    range: ActivationRange<Float> = ActivationRange(-.infinity, .infinity),
    to results: UnsafeMutablePointer<Float>
  ) {
    unsafe kernels.multiply(
      FloatRowProducts(
        matrix, count: rowCount, vector: vector, depth: size.depth, bias: bias,
        range: (range.lowest, range.highest), output: results))
  }
}
