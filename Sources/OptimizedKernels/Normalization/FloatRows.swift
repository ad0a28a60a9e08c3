// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Rows of floats that are normalized one by one.
struct FloatRows: Sendable {
  private typealias Lanes = SIMD16<Float>
  /// Elements of a block, at least a row.
  private static let blockLength = 4096

  /// Elements of a row.
  let length: Int
  /// Rows.
  let count: Int
  private let kernels: FloatMicrokernels

  /// The rows of a node's input; nil where they are empty.
  init?(length: Int, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard length > 0, let input = node.optionalInput(0) else { return nil }
    self.length = length
    count = input.shape.elementCount / length
    kernels = set.float
  }

  /// Rows of a block.
  private var step: Int { max(Self.blockLength / length, 1) }

  /// Blocks of rows.
  var blockCount: Int { (count + step - 1) / step }

  /// Calls `body` with where each row of the blocks that `next` names is in the input, and in the
  /// output.
  @inline(__always)
  func forEachRow(
    _ frame: borrowing TensorFrame, _ next: () -> Int?,
    _ body: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    while let block = next() {
      for row in block * step..<min((block + 1) * step, count) {
        unsafe body(input + row * length, output + row * length)
      }
    }
  }

  /// A function of each of a row's numbers.
  func apply(
    _ function: FloatFunction, _ row: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>
  ) {
    unsafe kernels.apply(function, FloatFunctionTask(input: row, output: output, count: length))
  }

  /// An operation on each of a row's numbers and one other.
  func combine(
    _ operation: FloatBinaryOperation, _ row: UnsafePointer<Float>, _ other: Float,
    to output: UnsafeMutablePointer<Float>
  ) {
    unsafe withUnsafePointer(to: other) { other in
      unsafe kernels.compute(
        operation,
        FloatBinaryRow(
          left: row, right: other, output: output, count: length, repeatsRight: true,
          lowest: -.infinity, highest: .infinity))
    }
  }

  /// The sum of a row: 16 partial sums, whatever the vectors of the processor.
  func sum(_ row: UnsafePointer<Float>) -> Float {
    var lanes = Lanes.zero
    var index = 0
    while index + 16 <= length {
      lanes += unsafe UnsafeRawPointer(row + index).loadUnaligned(as: Lanes.self)
      index += 16
    }
    var sum: Float = 0
    for lane in 0..<16 { sum += lanes[lane] }
    while index < length {
      sum += unsafe row[index]
      index += 1
    }
    return sum
  }
}
