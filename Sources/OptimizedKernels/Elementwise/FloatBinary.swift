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
  }

  var elementSize: Int { 4 }
  /// Whether it multiplies without limits, but for the greatest number.
  var isPlainProduct: Bool {
    operation == .multiply && range.lowest == -Float.greatestFiniteMagnitude
      && range.highest == Float.greatestFiniteMagnitude
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard runs.periods[0] == nil, runs.periods[1] == 1, !runs.areShort(size: 4) else {
      return computeRows(frame, workerCount: workerCount, next: next)
    }
    guard let left = unsafe frame.inputAddress(0), let right = unsafe frame.inputAddress(1) else {
      return
    }
    let output = unsafe frame.outputAddress(0)
    let blocks = ElementBlocks(runs.elementCount, workerCount: workerCount)
    while let block = next() {
      runs.forEachPart(of: blocks[block]) { run, position, first, count in
        unsafe kernels.compute(
          operation,
          FloatBinaryRow(
            left: left + (runs.start(of: run, 0) + position) * 4,
            right: right + runs.start(of: run, 1) * 4, output: output + first * 4, count: count,
            repeatsRight: true, lowest: range.lowest, highest: range.highest))
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
