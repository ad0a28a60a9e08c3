// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The rows of a broadcast of two operands, made as long as can be: where an operand's short row
/// comes again and again, as factors of channels do, these repetitions are one run.
package final class BroadcastRuns: Sendable {
  /// Elements of a run.
  let length: Int
  /// Elements in all.
  let elementCount: Int
  /// Per operand, after how many elements of a run it starts again; nil where it does not.
  let periods: [Int?]
  private let wholeOperands: [Bool]
  /// Whether any element of an operand meets more than one of the other.
  let repeatsOperands: Bool
  /// Whether one worker computes all elements as one row, from the operands as they lie.
  let isRow: Bool
  private let outerLengths: [Int]
  private let outerStrides: [[Int]]

  /// The runs of `broadcast`.
  init(_ broadcast: Broadcast) {
    let (row, steps) = (broadcast.rowLength, broadcast.rowSteps)
    elementCount = broadcast.shape.elementCount
    let strides = broadcast.outerStrides.first
    // Of as many rows of as many elements as the output, none comes twice.
    let isSingle = elementCount == 1
    wholeOperands = [0, 1].map { operand in
      isSingle || steps[operand] == 1 && !broadcast.outerStrides.contains { $0[operand] == 0 }
    }
    if steps == [1, 1], let strides, strides.sorted() == [0, row] {
      length = row * broadcast.outerLengths[0]
      periods = strides.map { $0 == 0 ? row : nil }
      outerLengths = Array(broadcast.outerLengths.dropFirst())
      outerStrides = Array(broadcast.outerStrides.dropFirst())
    } else {
      length = row
      periods = steps.map { $0 == 0 ? 1 : nil }
      outerLengths = broadcast.outerLengths
      outerStrides = broadcast.outerStrides
    }
    repeatsOperands = wholeOperands.contains(false)
    isRow = !repeatsOperands && ElementBlocks(elementCount, workerCount: 1).count == 1
  }

  private init(swapping other: BroadcastRuns) {
    (length, elementCount) = (other.length, other.elementCount)
    periods = other.periods.reversed()
    wholeOperands = other.wholeOperands.reversed()
    (repeatsOperands, isRow) = (other.repeatsOperands, other.isRow)
    outerLengths = other.outerLengths
    outerStrides = other.outerStrides.map { $0.reversed() }
  }

  /// The runs with each operand in the other's place.
  var swapped: BroadcastRuns { BroadcastRuns(swapping: self) }

  /// Whether an operand has an element of its own for each of the output's.
  func isWhole(_ operand: Int) -> Bool { wholeOperands[operand] }

  /// Whether an operand has its runs' starts side by side, in order.
  func isNumbered(_ operand: Int) -> Bool {
    var expected = 1
    for (length, strides) in zip(outerLengths, outerStrides) {
      guard length == 1 || strides[operand] == expected else { return false }
      expected *= length
    }
    return true
  }

  /// Whether all runs have the same elements of an operand, each another one along a run.
  func repeatsRow(_ operand: Int) -> Bool {
    periods[operand] == nil && outerStrides.allSatisfy { $0[operand] == 0 }
  }

  /// Where a run starts in an operand.
  func start(of run: Int, _ operand: Int) -> Int {
    var (rest, offset) = (run, 0)
    guard let last = outerStrides.indices.last else { return 0 }
    for axis in 0..<last {
      let (quotient, index) = rest.quotientAndRemainder(dividingBy: outerLengths[axis])
      offset += index * outerStrides[axis][operand]
      rest = quotient
    }
    return offset + rest * outerStrides[last][operand]
  }
}

extension BroadcastRuns {
  /// Bytes that a run may need for repetitions.
  private static var longCapacity: Int { 4096 }
  /// Bytes that are enough for runs of no more.
  private static var shortCapacity: Int { 448 }
  /// Bytes of a run that is computed together with others.
  private static var shortRun: Int { 128 }

  /// Whether runs of elements of `size` bytes are shorter than what calling a kernel costs.
  func areShort(size: Int) -> Bool { length * size < Self.shortRun }

  /// Calls `body` for rows that make up the elements in `range`, of `size` bytes each; results have
  /// `resultSize` bytes.
  func forEachRow(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ output: UnsafeMutableRawPointer,
    size: Int, resultSize: Int, in range: Range<Int>, _ body: (PlainRow) -> Void
  ) {
    guard repeatsOperands else {
      let offset = range.lowerBound * size
      return unsafe body(
        PlainRow(
          left: left + offset, right: right + offset,
          output: output + range.lowerBound * resultSize, count: range.count))
    }
    // Repetitions of a few elements need little room.
    let isShort = range.count * size <= Self.shortCapacity
    let capacity = isShort ? Self.shortCapacity : Self.longCapacity
    unsafe ScratchMemory.use(2 * capacity) { buffer in
      if areShort(size: size) {
        return unsafe forEachBatch(
          left, right, output, size: size, resultSize: resultSize, in: range, buffer, capacity,
          body)
      }
      forEachPart(of: range) { run, position, first, count in
        let a = unsafe OperandRun(
          left + start(of: run, 0) * size, period: periods[0], first: position, count: count,
          size: size, buffer, capacity)
        let b = unsafe OperandRun(
          right + start(of: run, 1) * size, period: periods[1], first: position, count: count,
          size: size, buffer + capacity, capacity)
        var done = 0
        while done < count {
          let part = unsafe min(
            count - done, a.available(at: position + done), b.available(at: position + done))
          unsafe body(
            PlainRow(
              left: a.element(position + done), right: b.element(position + done),
              output: output + (first + done) * resultSize, count: part))
          done += part
        }
      }
    }
  }

  /// Calls `body` for rows of as many elements in `range` as `capacity` bytes hold: where an operand's
  /// elements do not lie behind each other, they are written out in a half of `buffer`.
  private func forEachBatch(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ output: UnsafeMutableRawPointer,
    size: Int, resultSize: Int, in range: Range<Int>, _ buffer: UnsafeMutableRawPointer,
    _ capacity: Int, _ body: (PlainRow) -> Void
  ) {
    var first = range.lowerBound
    while first < range.upperBound {
      let batch = first..<min(first + capacity / size, range.upperBound)
      unsafe body(
        PlainRow(
          left: elements(of: 0, left, in: batch, size: size, buffer),
          right: elements(of: 1, right, in: batch, size: size, buffer + capacity),
          output: output + first * resultSize, count: batch.count))
      first = batch.upperBound
    }
  }

  /// An operand's elements for those of the output in `range`, written to `buffer` if need be.
  private func elements(
    of operand: Int, _ address: UnsafeRawPointer, in range: Range<Int>, size: Int,
    _ buffer: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    if isWhole(operand) { return unsafe address + range.lowerBound * size }
    let period = periods[operand]
    forEachPart(of: range) { run, position, first, count in
      let source = unsafe address + start(of: run, operand) * size
      let target = unsafe buffer + (first - range.lowerBound) * size
      guard let period else {
        return unsafe copyShort(source + position * size, to: target, count: count * size)
      }
      unsafe repeatElements(
        source, period: period, from: position % period, to: target, count: count, size: size)
    }
    return UnsafeRawPointer(buffer)
  }

  /// Calls `body` for the parts of runs that make up the elements in `range`: with the run, its
  /// first element that is meant, that element's index among all, and how many are meant.
  @inline(__always)
  func forEachPart(
    of range: Range<Int>, _ body: (_ run: Int, _ position: Int, _ first: Int, _ count: Int) -> Void
  ) {
    var first = range.lowerBound
    while first < range.upperBound {
      let (run, position) = first.quotientAndRemainder(dividingBy: length)
      let count = min(length - position, range.upperBound - first)
      body(run, position, first, count)
      first += count
    }
  }
}

/// Writes `count` elements of a row of `period` that starts again and again, from its element `first`
/// on.
private func repeatElements(
  _ row: UnsafeRawPointer, period: Int, from first: Int, to target: UnsafeMutableRawPointer,
  count: Int, size: Int
) {
  if period == 1, size == 1 {
    let byte = unsafe row.load(as: UInt8.self)
    unsafe target.initializeMemory(as: UInt8.self, repeating: byte, count: count)
    return
  }
  if period == 1, size == 4 {
    let word = unsafe row.loadUnaligned(as: UInt32.self)
    for index in 0..<count {
      unsafe target.storeBytes(of: word, toByteOffset: index * 4, as: UInt32.self)
    }
    return
  }
  var (done, position) = (0, first)
  while done < count {
    let part = min(period - position, count - done)
    unsafe copyShort(row + position * size, to: target + done * size, count: part * size)
    (done, position) = (done + part, 0)
  }
}

/// The elements of an operand along a run, with short repetitions written out.
@unsafe
private struct OperandRun {
  private let address: UnsafeRawPointer
  private let period: Int
  private let copied: Int
  private let size: Int

  /// `count` elements of `size` bytes from `first` on of a run that starts at `start`; `buffer` has
  /// room for `capacity` bytes of repetitions.
  init(
    _ start: UnsafeRawPointer, period: Int?, first: Int, count: Int, size: Int,
    _ buffer: UnsafeMutableRawPointer, _ capacity: Int
  ) {
    unsafe self.size = size
    guard let period else {
      unsafe (address, self.period, copied) = (start, 0, 0)
      return
    }
    unsafe self.period = period
    let limit = capacity / size
    guard period <= limit / 2 else {
      unsafe (address, copied) = (start, period)
      return
    }
    let wanted = (first % period + count + period - 1) / period
    let copies = min(limit / period, wanted)
    unsafe (address, copied) = (UnsafeRawPointer(buffer), copies * period)
    if period == 1 {
      unsafe repeatElements(start, period: 1, from: 0, to: buffer, count: copied, size: size)
      return
    }
    // Each copy doubles what there is.
    unsafe buffer.copyMemory(from: start, byteCount: period * size)
    var done = period
    while unsafe done < copied {
      let part = unsafe min(done, copied - done)
      unsafe (buffer + done * size).copyMemory(from: buffer, byteCount: part * size)
      done += part
    }
  }

  /// How many elements from `position` on lie behind each other.
  func available(at position: Int) -> Int { unsafe period == 0 ? .max : copied - position % period }

  /// The element at `position`.
  func element(_ position: Int) -> UnsafeRawPointer {
    unsafe address + (period == 0 ? position : position % period) * size
  }
}
