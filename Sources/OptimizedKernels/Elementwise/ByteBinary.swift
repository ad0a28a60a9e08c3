// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Sums, differences and products of 8-bit codes: the same codes as the reference kernel.
///
/// What the output's factor applies to is a 32-bit number per element: for sums, two looked up in
/// tables of an operand's 256 possible terms; for products, the product. Some hundred of them are
/// collected over neighbouring rows and scaled together.
final class ByteBinary: BlockKernel {
  /// How an element's 32-bit number follows from its two codes.
  private enum Terms {
    /// `left[a] + right[b]`.
    case tables(left: [Int32], right: [Int32])
    /// `(a − left) (b − right)`.
    case product(left: Int32, right: Int32, isSigned: Bool)
  }

  /// Elements whose numbers are collected.
  private static let bufferCount = 1024

  private let terms: Terms
  private let broadcast: Broadcast
  private let scaling: ByteScaling
  private let kernels: ByteMicrokernels

  /// The sum or difference of `loop`; nil where no fast kernel follows its format.
  init?<Element: TensorElement & FixedWidthInteger>(
    _ loop: BinaryLoop<QuantizedAddition<Element>>, _ set: MicrokernelSet
  ) {
    let arithmetic = loop.arithmetic
    guard
      let format = ByteFormat(
        Element.self, Element.self, inputZeroPoint: arithmetic.outputZeroPoint, filterZeroPoint: 0,
        outputZeroPoint: arithmetic.outputZeroPoint, range: arithmetic.range,
        factors: .fixedPoint([arithmetic.output]))
    else { return nil }
    let codes = (0..<256).map { Int32(Element(truncatingIfNeeded: $0)) }
    let left = codes.map { arithmetic.left.scaled($0) }
    let right = codes.map { code in
      let term = arithmetic.right.scaled(code)
      return arithmetic.isSubtraction ? 0 &- term : term
    }
    let bound = Self.greatest(left) + Self.greatest(right)
    terms = .tables(left: left, right: right)
    broadcast = loop.broadcast
    scaling = format.scaling(positions: ByteMicrokernels.scalePositions, sumBound: bound)
    kernels = set.byte
  }

  /// The product of `loop`; nil where no fast kernel follows its format.
  init?<Element: TensorElement & FixedWidthInteger>(
    _ loop: BinaryLoop<QuantizedMultiplication<Element>>, _ set: MicrokernelSet
  ) {
    let arithmetic = loop.arithmetic
    let codes = Int32(Element.min)...Int32(Element.max)
    guard codes.contains(arithmetic.leftZeroPoint), codes.contains(arithmetic.rightZeroPoint),
      let format = ByteFormat(
        Element.self, Element.self, inputZeroPoint: arithmetic.leftZeroPoint, filterZeroPoint: 0,
        outputZeroPoint: arithmetic.outputZeroPoint, range: arithmetic.range,
        factors: .fixedPoint([arithmetic.multiplier]))
    else { return nil }
    terms = .product(
      left: arithmetic.leftZeroPoint, right: arithmetic.rightZeroPoint,
      isSigned: Element.isSigned)
    broadcast = loop.broadcast
    scaling = format.scaling(positions: ByteMicrokernels.scalePositions, sumBound: 255 * 255)
    kernels = set.byte
  }

  private static func greatest(_ terms: [Int32]) -> Int64 {
    terms.reduce(0) { max($0, Int64($1.magnitude)) }
  }

  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(broadcast.shape.elementCount, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let left = unsafe frame.inputAddress(0), let right = unsafe frame.inputAddress(1) else {
      return
    }
    let output = unsafe frame.outputAddress(0)
    let blocks = ElementBlocks(broadcast.shape.elementCount, workerCount: workerCount)
    unsafe withUnsafeTemporaryAllocation(
      byteCount: Self.bufferCount * 5, alignment: AlignedMemory.alignment
    ) { memory in
      guard let base = memory.baseAddress else { return }
      while let block = next() {
        var batch = unsafe ByteBatch(
          sums: base.assumingMemoryBound(to: Int32.self), codes: base + Self.bufferCount * 4,
          output: output + blocks[block].lowerBound, count: 0)
        broadcast.forEachPart(in: blocks[block]) { from, beside, _, count in
          var done = 0
          while done < count {
            let part = unsafe min(count - done, Self.bufferCount - batch.count)
            unsafe collect(
              left + (from + done * broadcast.rowSteps[0]),
              right + (beside + done * broadcast.rowSteps[1]), part, batch.sums + batch.count)
            unsafe batch.count += part
            done += part
            if unsafe batch.count == Self.bufferCount { unsafe flush(&batch) }
          }
        }
        unsafe flush(&batch)
      }
    }
  }

  /// Scales what is collected and writes it out.
  private func flush(_ batch: inout ByteBatch) {
    let count = unsafe batch.count
    unsafe kernels.scaleAll(
      scaling.finish(), sums: batch.sums, count: count, to: batch.codes)
    unsafe batch.output.copyMemory(from: batch.codes, byteCount: count)
    unsafe batch.output += count
    unsafe batch.count = 0
  }

  /// The numbers of `count` elements of a row.
  private func collect(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int,
    _ sums: UnsafeMutablePointer<Int32>
  ) {
    let steps = (broadcast.rowSteps[0], broadcast.rowSteps[1])
    switch terms {
    case .tables(let leftTable, let rightTable):
      let a = unsafe left.assumingMemoryBound(to: UInt8.self)
      let b = unsafe right.assumingMemoryBound(to: UInt8.self)
      unsafe leftTable.withUnsafeBufferPointer { leftTable in
        unsafe rightTable.withUnsafeBufferPointer { rightTable in
          guard let leftTable = leftTable.baseAddress, let rightTable = rightTable.baseAddress
          else { return }
          unsafe combine(a, b, steps, count, sums) {
            unsafe leftTable[Int($0)] &+ rightTable[Int($1)]
          }
        }
      }
    case .product(let leftZero, let rightZero, isSigned: true):
      unsafe combine(
        left.assumingMemoryBound(to: Int8.self), right.assumingMemoryBound(to: Int8.self), steps,
        count, sums
      ) { (Int32($0) &- leftZero) &* (Int32($1) &- rightZero) }
    case .product(let leftZero, let rightZero, isSigned: false):
      unsafe combine(
        left.assumingMemoryBound(to: UInt8.self), right.assumingMemoryBound(to: UInt8.self), steps,
        count, sums
      ) { (Int32($0) &- leftZero) &* (Int32($1) &- rightZero) }
    }
  }
}

/// Numbers on their way to codes.
@unsafe
private struct ByteBatch {
  let sums: UnsafeMutablePointer<Int32>
  let codes: UnsafeMutableRawPointer
  var output: UnsafeMutableRawPointer
  var count: Int
}

/// `terms` of each pair of codes; the loops differ in which operand is one number.
@inline(__always)
private func combine<Code>(
  _ left: UnsafePointer<Code>, _ right: UnsafePointer<Code>, _ steps: (Int, Int), _ count: Int,
  _ sums: UnsafeMutablePointer<Int32>, _ terms: (Code, Code) -> Int32
) {
  switch steps {
  case (0, _):
    let value = unsafe left[0]
    let step = steps.1
    for index in 0..<count { unsafe sums[index] = terms(value, right[index &* step]) }
  case (_, 0):
    let value = unsafe right[0]
    for index in 0..<count { unsafe sums[index] = terms(left[index], value) }
  default:
    for index in 0..<count { unsafe sums[index] = terms(left[index], right[index]) }
  }
}
