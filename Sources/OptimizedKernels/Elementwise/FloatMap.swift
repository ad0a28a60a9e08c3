// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// A function of floats on vectors: within 4 units in the last place of the reference kernel, or
/// within 10⁻⁷ for sines and cosines.
final class FloatMap: ElementKernel {
  /// Elements of which all or none are computed by vectors, where not every number is.
  private static let step = 256

  /// A greatest magnitude, and the function beyond it.
  typealias Limit = (greatest: Float, beyond: @Sendable (Float) -> Float)

  private let function: FloatFunction
  /// The greatest magnitude that vectors have the function of, and the function beyond it.
  private let limit: Limit?
  private let kernels: FloatMicrokernels
  let elementCount: Int

  /// `function` for the elements of the node's input.
  convenience init?(_ function: FloatFunction, _ node: PrepareContext, _ set: MicrokernelSet) {
    self.init(function, limit: nil, node, set)
  }

  /// `function`, which vectors have up to a limit, for the elements of the node's input.
  init?(
    _ function: FloatFunction, limit: Limit?,
    _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    guard let input = node.optionalInput(0) else { return nil }
    self.function = function
    self.limit = limit
    kernels = set.float
    elementCount = input.shape.elementCount
  }

  /// Whether it changes signs and nothing else.
  var isNegation: Bool { function == .negation }

  private init(_ function: FloatFunction, like other: FloatMap) {
    self.function = function
    limit = other.limit
    kernels = other.kernels
    elementCount = other.elementCount
  }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let input = unsafe input.assumingMemoryBound(to: Float.self)
    let output = unsafe output.assumingMemoryBound(to: Float.self)
    guard let limit else {
      let first = elements.lowerBound
      return unsafe kernels.apply(
        function,
        FloatFunctionTask(input: input + first, output: output + first, count: elements.count))
    }
    for first in stride(from: elements.lowerBound, to: elements.upperBound, by: Self.step) {
      let run = first..<min(first + Self.step, elements.upperBound)
      // As integers, magnitudes have the same order.
      var greatest: UInt32 = 0
      for index in run { greatest = unsafe max(greatest, input[index].magnitude.bitPattern) }
      if greatest <= limit.greatest.bitPattern {
        unsafe kernels.apply(
          function,
          FloatFunctionTask(input: input + first, output: output + first, count: run.count))
      } else {
        for index in run { unsafe output[index] = limit.beyond(input[index]) }
      }
    }
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
