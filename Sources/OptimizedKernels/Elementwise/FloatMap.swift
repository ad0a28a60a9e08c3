// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// A function of floats on vectors: within 4 units in the last place of the reference kernel.
final class FloatMap: BlockKernel {
  private let function: FloatFunction
  private let kernels: FloatMicrokernels
  private let elementCount: Int

  /// `function` for the elements of the node's input.
  init?(_ function: FloatFunction, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard let input = node.optionalInput(0) else { return nil }
    self.function = function
    kernels = set.float
    elementCount = input.shape.elementCount
  }

  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(elementCount, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blocks = ElementBlocks(elementCount, workerCount: workerCount)
    while let block = next() {
      let range = blocks[block]
      unsafe kernels.apply(
        function,
        FloatFunctionTask(
          input: input + range.lowerBound, output: output + range.lowerBound, count: range.count))
    }
  }
}
