// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension DensifyLoop: ExplainableLoop {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    var steps = StepList()
    let type = node.elementType(of: output)
    guard let location = layout.positions.lastIndex(of: output.flat) else {
      let zero = StoredValue(type, TensorBytes(zeroed: MemoryLayout<Element>.stride), at: 0)
      guard let zero else { return nil }
      steps.add("filled", "zero, as no value is stored for this position", zero)
      return NodeDerivation([], steps)
    }
    guard let input = node.input(0), let stored = StoredValue(type, input.bytes, at: location)
    else {
      return nil
    }
    // Stored values have no position of their own but their number.
    let element = ExplainedElement(
      index: [location], flatIndex: location, stored: stored,
      real: input.tensor.type.real(stored, at: node.index(of: output)))
    let term = ExplainedTerm(
      factors: [ExplainedTerm.Factor(source: .input(0), element: element, quantized: nil)],
      value: nil)
    steps.add("number", "of the stored value that belongs here", integer: location)
    steps.add("moved", "the value as it is", stored)
    return NodeDerivation([term], steps)
  }
}

extension NumericVerifyLoop: ExplainableLoop {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    guard let explainable = dequantize as? any ExplainableKernel,
      var derivation = try explainable.derivation(of: output, in: node),
      case .float(let real) = derivation.result, let reference = node.term(1, output.flat),
      case .float(let wanted) = reference.factors[0].element.stored
    else { return nil }
    derivation.terms.append(reference)
    let difference = derivation.steps.add(
      "difference", "\(real) - \(wanted.operand)", float: real - wanted)
    derivation.result = .float(difference)
    return derivation
  }
}
