// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// A function of floats on vectors: within 4 units in the last place of the reference kernel.
final class FloatMap: ElementKernel {
  private let function: FloatFunction
  private let kernels: FloatMicrokernels
  let elementCount: Int

  /// `function` for the elements of the node's input.
  init?(_ function: FloatFunction, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard let input = node.optionalInput(0) else { return nil }
    self.function = function
    kernels = set.float
    elementCount = input.shape.elementCount
  }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let first = elements.lowerBound
    unsafe kernels.apply(
      function,
      FloatFunctionTask(
        input: input.assumingMemoryBound(to: Float.self) + first,
        output: output.assumingMemoryBound(to: Float.self) + first, count: elements.count))
  }
}
