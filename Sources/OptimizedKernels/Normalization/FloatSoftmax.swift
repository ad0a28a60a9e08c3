// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `SOFTMAX` of floats: within 8 units in the last place of the reference kernel.
///
/// Each row's sum has 16 partial sums, whatever the vectors of the processor.
final class FloatSoftmax: BlockKernel {
  private typealias Lanes = SIMD16<Float>

  private let beta: Float
  private let rowLength: Int
  private let rowCount: Int
  private let kernels: FloatMicrokernels

  /// The rows of `loop`; nil where they are empty.
  init?(_ loop: SoftmaxLoop<Float>, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard loop.rowLength > 0, let input = node.optionalInput(0) else { return nil }
    beta = loop.beta
    rowLength = loop.rowLength
    rowCount = input.shape.elementCount / rowLength
    kernels = set.float
  }

  /// Rows of a block.
  private var rowStep: Int { max(4096 / rowLength, 1) }

  func blockCount(workerCount: Int) -> Int { (rowCount + rowStep - 1) / rowStep }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    while let block = next() {
      for row in block * rowStep..<min((block + 1) * rowStep, rowCount) {
        unsafe evaluate(input + row * rowLength, to: output + row * rowLength)
      }
    }
  }

  private func evaluate(_ scores: UnsafePointer<Float>, to weights: UnsafeMutablePointer<Float>) {
    unsafe combine(.subtract, scores, largest(scores), to: weights)
    if beta != 1 { unsafe combine(.multiply, weights, beta, to: weights) }
    unsafe kernels.apply(
      .exponential, FloatFunctionTask(input: weights, output: weights, count: rowLength))
    unsafe combine(.divide, weights, sum(weights), to: weights)
  }

  /// An operation on each of a row's numbers and one other.
  private func combine(
    _ operation: FloatBinaryOperation, _ row: UnsafePointer<Float>, _ other: Float,
    to output: UnsafeMutablePointer<Float>
  ) {
    unsafe withUnsafePointer(to: other) { other in
      unsafe kernels.compute(
        operation,
        FloatBinaryRow(
          left: row, right: other, output: output, count: rowLength, repeatsRight: true,
          lowest: -.infinity, highest: .infinity))
    }
  }

  /// The greatest number of a row; NaN does not count.
  private func largest(_ row: UnsafePointer<Float>) -> Float {
    var lanes = Lanes(repeating: -.greatestFiniteMagnitude)
    var index = 0
    while index + 16 <= rowLength {
      let next = unsafe UnsafeRawPointer(row + index).loadUnaligned(as: Lanes.self)
      lanes.replace(with: next, where: next .> lanes)
      index += 16
    }
    var largest = -Float.greatestFiniteMagnitude
    for lane in 0..<16 where largest < lanes[lane] { largest = lanes[lane] }
    while index < rowLength {
      if unsafe largest < row[index] { largest = unsafe row[index] }
      index += 1
    }
    return largest
  }

  private func sum(_ row: UnsafePointer<Float>) -> Float {
    var lanes = Lanes.zero
    var index = 0
    while index + 16 <= rowLength {
      lanes += unsafe UnsafeRawPointer(row + index).loadUnaligned(as: Lanes.self)
      index += 16
    }
    var sum: Float = 0
    for lane in 0..<16 { sum += lanes[lane] }
    while index < rowLength {
      sum += unsafe row[index]
      index += 1
    }
    return sum
  }
}
