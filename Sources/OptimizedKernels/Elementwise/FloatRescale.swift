// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// An operation on every element and one constant, limited to an interval: rectifiers.
///
/// Results are the same as the reference kernel's.
final class FloatRescale: ElementKernel {
  private let operation: FloatBinaryOperation
  private let constant: Float
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels
  let elementCount: Int

  /// Each element limited to the interval of `loop`.
  convenience init?(_ loop: UnaryLoop<Clamp>, _ node: PrepareContext, _ set: MicrokernelSet) {
    // A product with 1 leaves every number as it is.
    self.init(.multiply, 1, loop.arithmetic.interval, node, set)
  }

  /// The leaky rectifier of `loop`.
  convenience init?(
    _ loop: UnaryLoop<FloatLeakyRelu>, _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    self.init(
      .slopeUpToZero, loop.arithmetic.alpha, ActivationRange(-.infinity, .infinity), node, set)
  }

  private init?(
    _ operation: FloatBinaryOperation, _ constant: Float, _ range: ActivationRange<Float>,
    _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    guard let input = node.optionalInput(0) else { return nil }
    self.operation = operation
    self.constant = constant
    self.range = range
    kernels = set.float
    elementCount = input.shape.elementCount
  }

  private init(_ constant: Float, _ range: ActivationRange<Float>, like other: FloatRescale) {
    (operation, self.constant, self.range) = (.multiply, constant, range)
    (kernels, elementCount) = (other.kernels, other.elementCount)
  }

  /// Whether each element is a product, limited to an interval.
  private var isProduct: Bool { operation == .multiply }
  /// `max(x, 0)`.
  var isRectifier: Bool {
    isProduct && constant == 1 && range.lowest == 0 && range.highest == .infinity
  }
  /// `min(x, 0)`.
  var takesNegatives: Bool {
    isProduct && constant == 1 && range.lowest == -.infinity && range.highest == 0
  }

  /// The function of elements with the other sign; nil where that is no function of this kind.
  var ofNegated: FloatRescale? { isProduct ? FloatRescale(-constant, range, like: self) : nil }

  /// The function with the other sign; nil where that is no function of this kind.
  var negated: FloatRescale? {
    guard isProduct else { return nil }
    return FloatRescale(
      -constant, ActivationRange(-range.highest, -range.lowest), like: self)
  }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let first = elements.lowerBound * 4
    unsafe withUnsafePointer(to: constant) { constant in
      unsafe kernels.compute(
        operation,
        FloatBinaryRow(
          left: input + first, right: constant, output: output + first, count: elements.count,
          repetitions: elements.count, lowest: range.lowest, highest: range.highest))
    }
  }
}
