// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `FULLY_CONNECTED` of 8-bit quantized values with one or two units, as detectors end in: packed,
/// weights would fill one lane or two of each vector.
///
/// Rows and weights are multiplied as they lie in memory. Sums are exact, and become quantized values by
/// the very rule of the reference kernel: results are the same bit for bit.
final class ByteFewUnits: RegionKernel {
  /// Units up to which this is faster than packed weights.
  private static let mostUnits = 2
  /// Bytes of sums, of which whole vectors are read.
  private static let sumByteCount = 64

  private let size: UnpackedSize
  private let format: ByteFormat
  private let scaling: ByteScaling
  private let kernels: ByteMicrokernels

  /// The products of `loop`; nil where it has many units, narrower weights or another format.
  init?<Element>(
    _ loop: ConvolutionLoop<
      FullyConnectedNest, QuantizedFullyConnected<Element, Element, Int32, Element>
    >, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    guard (1...Self.mostUnits).contains(nest.outputDepth), loop.unpackedFilter == nil,
      let format = ByteFormat(loop.arithmetic)
    else { return nil }
    let positions = set.byte.layout.positions(columnCount: nest.outputDepth)
    scaling = format.scaling(positions: positions, sumBound: .max)
    guard unsafe scaling.finish().form == .real else { return nil }
    size = UnpackedSize(nest)
    self.format = format
    kernels = set.byte
  }

  func blockCount(workerCount: Int) -> Int {
    size.blockCount(of: size.rowCount, workerCount: workerCount)
  }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    let rows = share(block, of: blockCount(workerCount: workerCount), size.rowCount)
    body(rows.lowerBound * size.unitCount..<rows.upperBound * size.unitCount)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0), let filter = unsafe frame.inputAddress(1) else {
      return
    }
    let bias = unsafe frame.inputAddress(2)
    let output = unsafe frame.outputAddress(0)
    let blockCount = blockCount(workerCount: workerCount)
    let finish = unsafe scaling.finish()
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.sumByteCount, alignment: 16) { memory in
      guard let sums = memory.baseAddress else { return }
      while let block = next() {
        for row in share(block, of: blockCount, size.rowCount) {
          unsafe multiply(input + row * size.depth, filter, bias, to: sums)
          unsafe kernels.scaleReally(
            finish, sums: sums, count: size.unitCount, to: output + row * size.unitCount)
        }
      }
    }
  }

  /// The sums of a row, with the bias.
  private func multiply(
    _ row: UnsafeRawPointer, _ filter: UnsafeRawPointer, _ bias: UnsafeRawPointer?,
    to sums: UnsafeMutableRawPointer
  ) {
    for unit in 0..<size.unitCount {
      let sum = unsafe kernels.dot(
        ByteDot(
          left: row, right: filter + unit * size.depth, count: size.depth,
          areSigned: format.activations.isSigned, leftZeroPoint: format.activations.zeroPoint,
          rightZeroPoint: format.filterZeroPoint))
      let start = unsafe bias?.loadUnaligned(fromByteOffset: unit * 4, as: Int32.self) ?? 0
      unsafe sums.storeBytes(of: sum &+ start, toByteOffset: unit * 4, as: Int32.self)
    }
  }
}
