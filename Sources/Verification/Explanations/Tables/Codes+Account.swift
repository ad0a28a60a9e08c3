// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension DensifyLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    var steps = StepList()
    let type = node.elementType(of: output)
    guard let place = layout.positions.lastIndex(of: output.flat) else {
      let zero = StoredValue(type, TensorBytes(zeroed: MemoryLayout<Element>.stride), at: 0)
      guard let zero else { return nil }
      steps.add("filled", "zero, as no value is stored for this place", zero)
      return NodeAccount([], steps)
    }
    guard let input = node.input(0), let stored = StoredValue(type, input.bytes, at: place) else {
      return nil
    }
    // Stored values have no place of their own but their number.
    let element = ExplainedElement(
      index: [place], flatIndex: place, stored: stored,
      real: input.tensor.type.real(stored, at: node.index(of: output)))
    let term = ExplainedTerm(
      factors: [ExplainedTerm.Factor(source: .input(0), element: element, code: nil)], value: nil)
    steps.add("number", "of the stored value that belongs here", integer: place)
    steps.add("moved", "the value as it is", stored)
    return NodeAccount([term], steps)
  }
}

extension RescalingConcatenationKernel: ExplainableKernel {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let rowLength = joined.runs.reduce(0, +)
    guard rowLength > 0 else { return nil }
    var (row, place) = output.flat.quotientAndRemainder(dividingBy: rowLength)
    for (position, run) in joined.runs.enumerated() {
      guard place >= run else {
        row = row * run + place
        return rescaled(position, row, output, in: node)
      }
      place -= run
    }
    return nil
  }

  /// An element of the input at `position` in the output's scale.
  private func rescaled(
    _ position: Int, _ flat: Int, _ output: OutputPlace, in node: EvaluatedNode
  ) -> NodeAccount? {
    guard let term = node.term(position, flat),
      let code = node.value(position, flat, as: UInt8.self)
    else { return nil }
    var steps = StepList()
    guard tables[position] != nil else {
      steps.add("moved", "the code as it is: both scales are equal", integer: code)
      return NodeAccount([term], steps)
    }
    guard let from = node.input(position)?.tensor.type.quantization?.perTensor,
      let to = node.outputs[0].tensor.type.quantization?.perTensor
    else { return nil }
    let factor = steps.add(
      "factor", "\(from.scale) / \(to.scale)", float: from.scale * (1 / to.scale))
    let bias = steps.add(
      "bias", "-\(from.zeroPoint.operand) × \(factor)",
      float: Float(-Double(from.zeroPoint)) * factor)
    let exact = steps.add(
      "product", "\(code) × \(factor) + \(bias.operand)", float: Float(code) * factor + bias)
    let rounded = steps.add(
      "rounding", "round(\(exact)), halves away from zero",
      float: exact.rounded(.toNearestOrAwayFromZero))
    let shifted = Double(rounded) + Double(to.zeroPoint)
    steps.add("zero point", "\(rounded) + \(to.zeroPoint.operand)", .double(shifted))
    steps.add(
      "clamp", "\(shifted) to 0...255", integer: shifted > 0 ? UInt8(min(shifted, 255)) : 0)
    return NodeAccount([term], steps)
  }
}

extension NumericVerifyLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let explainable = dequantize as? any ExplainableKernel,
      var account = try explainable.account(of: output, in: node),
      case .float(let real) = account.result, let reference = node.term(1, output.flat),
      case .float(let wanted) = reference.factors[0].element.stored
    else { return nil }
    account.terms.append(reference)
    let difference = account.steps.add(
      "difference", "\(real) - \(wanted.operand)", float: real - wanted)
    account.result = .float(difference)
    return account
  }
}
