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
    switch (runs.periods[0], runs.periods[1]) {
    case (nil, 1) where !runs.areShort(size: 4): single = 1
    case (1, nil) where !runs.areShort(size: 4) && operation.isCommutative: single = 0
    default: single = nil
    }
  }

  var elementSize: Int { 4 }
  /// Whether it multiplies without limits, but for the greatest number.
  var isPlainProduct: Bool {
    operation == .multiply && range.lowest == -Float.greatestFiniteMagnitude
      && range.highest == Float.greatestFiniteMagnitude
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let single else { return computeRows(frame, workerCount: workerCount, next: next) }
    let whole = 1 - single
    guard let row = unsafe frame.inputAddress(whole), let number = unsafe frame.inputAddress(single)
    else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = ElementBlocks(runs.elementCount, workerCount: workerCount)
    while let block = next() {
      runs.forEachPart(of: blocks[block]) { run, position, first, count in
        unsafe kernels.compute(
          operation,
          FloatBinaryRow(
            left: row + (runs.start(of: run, whole) + position) * 4,
            right: number + runs.start(of: run, single) * 4, output: output + first * 4,
            count: count, repeatsRight: true, lowest: range.lowest, highest: range.highest))
      }
    }
  }

  func compute(_ row: OperandRow) {
    unsafe kernels.compute(
      operation,
      FloatBinaryRow(
        left: row.left, right: row.right, output: row.output, count: row.count,
        lowest: range.lowest, highest: range.highest))
  }
}
