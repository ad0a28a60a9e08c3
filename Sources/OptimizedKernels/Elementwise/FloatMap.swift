// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// A function of floats on vectors: within 4 units in the last place of the reference kernel.
final class FloatMap: ElementKernel {
  private let function: FloatFunction
  private let kernels: FloatMicrokernels
  let elementCount: Int
  var elementSize: Int? { 4 }

  /// `function` for the elements of the node's input.
  init?(_ function: FloatFunction, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard let input = node.optionalInput(0) else { return nil }
    self.function = function
    kernels = set.float
    elementCount = input.shape.elementCount
  }

  private init(_ function: FloatFunction, like other: FloatMap) {
    self.function = function
    kernels = other.kernels
    elementCount = other.elementCount
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

extension FloatMap {
  func gating(_ operation: any RowKernel, resultIsLeft: Bool) -> (any ElementKernel)? {
    // Factors may change places.
    guard function == .logistic, (operation as? FloatBinary)?.isPlainProduct == true else {
      return nil
    }
    return FloatMap(.swish, like: self)
  }
}
