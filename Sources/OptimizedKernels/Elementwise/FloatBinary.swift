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
  /// Whether these numbers, and the other operand's elements, lie side by side.
  private let isDense: Bool
  /// Whether one worker computes all elements as one row, from the operands as they lie.
  private let isRow: Bool
  /// Elements of runs that are computed together with others where operands are dense.
  private static let leastDense = 8

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
      (single, isDense) = (nil, false)
      isRow = Self.areRow(runs)
      return
    }
    isDense =
      runs.length >= Self.leastDense && runs.isWhole(1 - candidate) && runs.isNumbered(candidate)
    single = isDense || !runs.areShort(size: 4) ? candidate : nil
    isRow = single == nil && Self.areRow(runs)
  }

  private static func areRow(_ runs: BroadcastRuns) -> Bool {
    !runs.repeatsOperands && ElementBlocks(runs.elementCount, workerCount: 1).count == 1
  }

  private init(
    _ operation: FloatBinaryOperation, _ range: ActivationRange<Float>, swaps: Bool = false,
    like other: FloatBinary
  ) {
    (self.operation, self.range) = (operation, range)
    kernels = other.kernels
    runs = swaps ? other.runs.swapped : other.runs
    single = swaps ? other.single.map { 1 - $0 } : other.single
    (isDense, isRow) = (other.isDense, other.isRow)
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
    if isRow, workerCount == 1 {
      guard next() != nil, let left = unsafe frame.inputAddress(0),
        let right = unsafe frame.inputAddress(1)
      else { return }
      unsafe compute(
        PlainRow(left: left, right: right, output: frame.outputAddress(0), count: runs.elementCount)
      )
      // Who asks for the next block has done the last one.
      _ = next()
      return
    }
    guard let single else { return computeRows(frame, workerCount: workerCount, next: next) }
    let whole = 1 - single
    guard let row = unsafe frame.inputAddress(whole), let number = unsafe frame.inputAddress(single)
    else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = ElementBlocks(runs.elementCount, workerCount: workerCount)
    while let block = next() {
      var elements = blocks[block]
      if isDense {
        // A part of a run, and then whole ones.
        let (run, position) = elements.lowerBound.quotientAndRemainder(dividingBy: runs.length)
        let head = position == 0 ? 0 : min(runs.length - position, elements.count)
        let start = elements.lowerBound + head
        if start < elements.upperBound {
          unsafe kernels.compute(
            operation,
            FloatBinaryRow(
              left: row + start * 4, right: number + (run + (head > 0 ? 1 : 0)) * 4,
              output: output + start * 4, count: elements.upperBound - start,
              repetitions: runs.length, lowest: range.lowest, highest: range.highest))
        }
        elements = elements.lowerBound..<start
      }
      runs.forEachPart(of: elements) { run, position, first, count in
        unsafe kernels.compute(
          operation,
          FloatBinaryRow(
            left: row + (runs.start(of: run, whole) + position) * 4,
            right: number + runs.start(of: run, single) * 4, output: output + first * 4,
            count: count, repetitions: count, lowest: range.lowest, highest: range.highest))
      }
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
