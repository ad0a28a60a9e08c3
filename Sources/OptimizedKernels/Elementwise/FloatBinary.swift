// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Sums, differences and products of floats, row by row: the same results as the reference kernel.
final class FloatBinary: BlockKernel {
  private enum Operation {
    case add, subtract, multiply
  }

  private let operation: Operation
  private let range: ActivationRange<Float>
  private let broadcast: Broadcast

  /// The sum or difference of `loop`.
  init(_ loop: BinaryLoop<FloatAddition<Float>>) {
    operation = loop.arithmetic.isSubtraction ? .subtract : .add
    range = loop.arithmetic.range
    broadcast = loop.broadcast
  }

  /// The product of `loop`.
  init(_ loop: BinaryLoop<FloatMultiplication<Float>>) {
    operation = .multiply
    range = loop.arithmetic.range
    broadcast = loop.broadcast
  }

  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(broadcast.shape.elementCount, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let first = unsafe frame.inputAddress(0), let second = unsafe frame.inputAddress(1) else {
      return
    }
    let left = unsafe first.assumingMemoryBound(to: Float.self)
    let right = unsafe second.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blocks = ElementBlocks(broadcast.shape.elementCount, workerCount: workerCount)
    while let block = next() {
      broadcast.forEachPart(in: blocks[block]) { from, beside, to, count in
        let row = unsafe FloatRow(
          left: left + from, right: right + beside, output: output + to, count: count,
          leftStep: broadcast.rowSteps[0], rightStep: broadcast.rowSteps[1], range: range)
        switch operation {
        case .add: unsafe row.run { $0 + $1 }
        case .subtract: unsafe row.run { $0 - $1 }
        case .multiply: unsafe row.run { $0 * $1 }
        }
      }
    }
  }
}

/// A row of an element-wise operation on floats.
@unsafe
private struct FloatRow {
  let left: UnsafePointer<Float>
  let right: UnsafePointer<Float>
  let output: UnsafeMutablePointer<Float>
  let count: Int
  let leftStep: Int
  let rightStep: Int
  let range: ActivationRange<Float>

  /// Computes the row; the loops differ in which operand is one number.
  @inline(__always)
  func run(_ operation: (Float, Float) -> Float) {
    guard unsafe count > 0 else { return }
    let (lowest, highest) = unsafe (range.lowest, range.highest)
    func clamp(_ value: Float) -> Float {
      // In this order NaN stays NaN, as in the reference.
      let raised = value < lowest ? lowest : value
      return highest < raised ? highest : raised
    }
    switch unsafe (leftStep, rightStep) {
    case (0, 0):
      let value = unsafe clamp(operation(left[0], right[0]))
      for index in unsafe 0..<count { unsafe output[index] = value }
    case (0, _):
      let value = unsafe left[0]
      for index in unsafe 0..<count {
        unsafe output[index] = clamp(operation(value, right[index]))
      }
    case (_, 0):
      let value = unsafe right[0]
      for index in unsafe 0..<count {
        unsafe output[index] = clamp(operation(left[index], value))
      }
    default:
      for index in unsafe 0..<count {
        unsafe output[index] = clamp(operation(left[index], right[index]))
      }
    }
  }
}
