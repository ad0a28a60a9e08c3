// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// An operator of one operand that can tell its steps.
protocol ExplainedUnary: UnaryArithmetic {
  /// The steps from the operand to the stored value.
  func explain(_ value: Input, _ steps: inout StepList) -> StoredValue
}

extension UnaryLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let term = node.term(0, output.flat),
      let value: Arithmetic.Input = node.value(0, output.flat)
    else { return nil }
    var account = NodeAccount(terms: [term], steps: StepList())
    if let explained = arithmetic as? any ExplainedUnary,
      let result = Self.result(explained, value, &account.steps)
    {
      account.result = result
    } else {
      let result = StoredValue(arithmetic.apply(value))
      account.steps.add("result", "of the element, by the formula", result)
      account.result = result
    }
    return account
  }

  private static func result<Explained: ExplainedUnary>(
    _ arithmetic: Explained, _ value: Arithmetic.Input, _ steps: inout StepList
  ) -> StoredValue? {
    (value as? Explained.Input).map { arithmetic.explain($0, &steps) }
  }
}

extension QuantizeLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let term = node.term(0, output.flat), let value: Float = node.value(0, output.flat)
    else { return nil }
    let affine = quantization.channel(at: output.flat)
    var steps = StepList()
    let quotient = steps.add(
      "quotient", "\(value) / \(affine.scale)", float: value / affine.scale)
    let rounded = steps.add(
      "rounding", "round(\(quotient)), halves away from zero",
      integer: Int32(exactly: quotient.rounded(.toNearestOrAwayFromZero)) ?? .min)
    let code = steps.clamp(
      steps.addZeroPoint(rounded, affine.zeroPoint),
      ActivationRange(Format.lowest, Format.highest))
    return NodeAccount(terms: [term], steps: steps, result: StoredValue(integer: code))
  }
}

extension DequantizeLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let term = node.term(0, output.flat),
      case .integer(let code) = term.factors[0].element.stored
    else { return nil }
    let affine = quantization.channel(at: output.flat)
    var steps = StepList()
    let distance = steps.add(
      "distance", "\(code) - \(affine.zeroPoint.operand)",
      integer: Int32(truncatingIfNeeded: code) &- affine.zeroPoint)
    let isPerTensor = quantization.channels.count == 1
    let real = steps.add(
      "product", "\(affine.scale) × \(distance.operand) in \(isPerTensor ? "float64" : "float32")",
      float: isPerTensor
        ? Float(Double(affine.scale) * Double(distance)) : affine.scale * Float(distance))
    return NodeAccount(terms: [term], steps: steps, result: .float(real))
  }
}
