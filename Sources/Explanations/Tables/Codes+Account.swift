// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension DensifyLoop: ExplainableLoop {
  func account(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    var steps = StepList()
    let type = node.elementType(of: output)
    guard let location = layout.positions.lastIndex(of: output.flat) else {
      let zero = StoredValue(type, TensorBytes(zeroed: MemoryLayout<Element>.stride), at: 0)
      guard let zero else { return nil }
      steps.add("filled", "zero, as no value is stored for this location", zero)
      return NodeAccount([], steps)
    }
    guard let input = node.input(0), let stored = StoredValue(type, input.bytes, at: location) else {
      return nil
    }
    // Stored values have no position of their own but their number.
    let element = ExplainedElement(
      index: [location], flatIndex: location, stored: stored,
      real: input.tensor.type.real(stored, at: node.index(of: output)))
    let term = ExplainedTerm(
      factors: [ExplainedTerm.Factor(source: .input(0), element: element, quantized: nil)], value: nil)
    steps.add("number", "of the stored value that belongs here", integer: location)
    steps.add("moved", "the value as it is", stored)
    return NodeAccount([term], steps)
  }
}

extension NumericVerifyLoop: ExplainableLoop {
  func account(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
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
