// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Element-wise operations on two floats, row by row: the same results as the reference kernel.
final class FloatBinary: RowKernel {
  private let operation: FloatBinaryOperation
  private let kernels: FloatMicrokernels
  private let range: ActivationRange<Float>
  let runs: BroadcastRuns
  /// The operand that is one number along every run, where kernels take it as such.
  private let single: Int?
  /// How the other operand's elements lie, where these numbers lie side by side.
  private let rows: RowsOfNumbers
  /// Elements of a row that comes again and again, with its copies.
  private static let copiedCount = 1024

  /// The sum or difference of `loop`.
  convenience init(_ loop: BinaryLoop<FloatAddition<Float>>, _ set: MicrokernelSet) {
    self.init(
      loop.arithmetic.isSubtraction ? .subtract : .add, loop.broadcast,
      range: loop.arithmetic.range, set)
  }

  /// The product of `loop`.
  convenience init(_ loop: BinaryLoop<FloatMultiplication<Float>>, _ set: MicrokernelSet) {
    self.init(.multiply, loop.broadcast, range: loop.arithmetic.range, set)
  }

  /// The quotient of `loop`.
  convenience init(_ loop: BinaryLoop<FloatDivision>, _ set: MicrokernelSet) {
    self.init(.divide, loop.broadcast, range: loop.arithmetic.range, set)
  }

  /// An operation, with or without limits.
  init(
    _ operation: FloatBinaryOperation, _ broadcast: Broadcast,
    range: ActivationRange<Float> = ActivationRange(-.infinity, .infinity), _ set: MicrokernelSet
  ) {
    kernels = set.float
    self.operation = operation
    self.range = range
    runs = BroadcastRuns(broadcast)
    let candidate: Int? =
      switch (runs.periods[0], runs.periods[1]) {
      case (nil, 1): 1
      case (1, nil) where operation.isCommutative: 0
      default: nil
      }
    guard let candidate else {
      (single, rows) = (nil, .apart)
      return
    }
    rows = RowsOfNumbers(runs, numbers: candidate, copiedCount: Self.copiedCount)
    single = rows != .apart || !runs.areShort(size: 4) ? candidate : nil
  }

  private init(
    _ operation: FloatBinaryOperation, _ range: ActivationRange<Float>, swaps: Bool = false,
    like other: FloatBinary
  ) {
    (self.operation, self.range) = (operation, range)
    kernels = other.kernels
    runs = swaps ? other.runs.swapped : other.runs
    single = swaps ? other.single.map { 1 - $0 } : other.single
    rows = other.rows
  }

  /// The product with one operand, which becomes the first, limited to negative numbers, if this is a
  /// product; the other operand's numbers have to be finite.
  func ofNegatives(_ operand: Int) -> FloatBinary? {
    guard operation == .multiply, runs.isWhole(operand), single != operand else { return nil }
    return FloatBinary(.slopeOfNegatives, range, swaps: operand == 1, like: self)
  }

  /// `PRELU`, where this is its part below zero, to which `sum` adds the part above it; nil where it is
  /// not, or has limits of its own.
  func slope(summedBy sum: FloatBinary) -> FloatBinary? {
    guard operation == .slopeOfNegatives, sum.operation == .add, hasNoLimits else { return nil }
    return FloatBinary(.slopeBelowZero, sum.range, like: self)
  }

  var elementSize: Int { 4 }
  /// Whether it multiplies without limits, but for the greatest number.
  var isPlainProduct: Bool { operation == .multiply && hasNoLimits }
  private var hasNoLimits: Bool {
    range.lowest == -Float.greatestFiniteMagnitude
      && range.highest == Float.greatestFiniteMagnitude
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let single else { return computeRows(frame, workerCount: workerCount, next: next) }
    guard let row = unsafe frame.inputAddress(1 - single),
      let number = unsafe frame.inputAddress(single)
    else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = ElementBlocks(runs.elementCount, workerCount: workerCount)
    guard rows == .repeated else {
      while let block = next() {
        unsafe compute(blocks[block], row, number, output, single: single, rows: nil)
      }
      return
    }
    // Of the row that comes again and again there are as many as a call takes.
    let copies = min(Self.copiedCount, runs.elementCount) / runs.length
    unsafe ScratchMemory.use(copies * runs.length * 4) { buffer in
      var isCopied = false
      while let block = next() {
        if !isCopied {
          for copy in 0..<copies {
            let target = unsafe buffer + copy * runs.length * 4
            unsafe target.copyMemory(from: row, byteCount: runs.length * 4)
          }
          isCopied = true
        }
        unsafe compute(
          blocks[block], row, number, output, single: single,
          rows: (UnsafeRawPointer(buffer), copies))
      }
    }
  }

  /// Computes the elements in a range, those of whole runs together where that is possible; `rows` are
  /// copies of a row that comes again and again.
  private func compute(
    _ elements: Range<Int>, _ row: UnsafeRawPointer, _ number: UnsafeRawPointer,
    _ output: UnsafeMutableRawPointer, single: Int, rows copies: (UnsafeRawPointer, count: Int)?
  ) {
    var parts = elements
    if rows != .apart {
      // A part of a run, and then whole ones.
      let (run, position) = elements.lowerBound.quotientAndRemainder(dividingBy: runs.length)
      let head = position == 0 ? 0 : min(runs.length - position, elements.count)
      var start = elements.lowerBound + head
      var numbers = unsafe number + (run + (head > 0 ? 1 : 0)) * 4
      parts = elements.lowerBound..<start
      while start < elements.upperBound {
        let rest = elements.upperBound - start
        let count = unsafe min(rest, copies.map { unsafe $0.count * runs.length } ?? rest)
        unsafe kernels.compute(
          operation,
          FloatBinaryRow(
            left: copies?.0 ?? row + start * 4, right: numbers, output: output + start * 4,
            count: count, repetitions: runs.length, lowest: range.lowest, highest: range.highest))
        start += count
        unsafe numbers += count / runs.length * 4
      }
    }
    runs.forEachPart(of: parts) { run, position, first, count in
      unsafe kernels.compute(
        operation,
        FloatBinaryRow(
          left: row + (runs.start(of: run, 1 - single) + position) * 4,
          right: number + runs.start(of: run, single) * 4, output: output + first * 4,
          count: count, repetitions: count, lowest: range.lowest, highest: range.highest))
    }
  }

  func compute(_ row: PlainRow) {
    unsafe kernels.compute(
      operation,
      FloatBinaryRow(
        left: row.left, right: row.right, output: row.output, count: row.count,
        lowest: range.lowest, highest: range.highest))
  }
}

/// How the elements that meet single numbers lie, where these lie side by side.
private enum RowsOfNumbers {
  /// The numbers or elements do not lie side by side, or are too few for each other.
  case apart
  /// The elements lie side by side.
  case dense
  /// Each number meets the same row of elements.
  case repeated

  /// Elements of runs that are computed together with others.
  private static let leastLength = 8

  /// How they lie where the operand `numbers` is one number along every run; of a row that repeats,
  /// `copiedCount` elements are written out.
  init(_ runs: BroadcastRuns, numbers: Int, copiedCount: Int) {
    let other = 1 - numbers
    guard runs.length >= Self.leastLength, runs.isNumbered(numbers) else {
      self = .apart
      return
    }
    let repeats = runs.repeatsRow(other) && 2 * runs.length <= copiedCount
    self = runs.isWhole(other) ? .dense : repeats ? .repeated : .apart
  }
}
