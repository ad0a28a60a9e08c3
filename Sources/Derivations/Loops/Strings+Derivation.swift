// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension EvaluatedNode {
  /// An element of an input that became the output's as it is.
  fileprivate func moved(_ position: Int, _ flat: Int) -> NodeDerivation? {
    guard let term = term(position, flat) else { return nil }
    var steps = StepList()
    steps.add("moved", "the element as it is", term.factors[0].element.stored)
    return NodeDerivation([term], steps)
  }
}

extension StringMovementKernel: ExplainableKernel {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    let moved = numbers[output.position]
    guard moved.indices.contains(output.flat) else { return nil }
    // The strings of all inputs are numbered in order.
    var number = Int(moved[output.flat])
    for (position, input) in node.inputs.enumerated() {
      guard let type = input?.tensor.type, type.elementType == .string else { continue }
      guard number >= type.shape.elementCount else { return node.moved(position, number) }
      number -= type.shape.elementCount
    }
    return nil
  }
}

extension BytesKernel: ExplainableKernel {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    guard let from = node.input(0)?.tensor.type.elementType else { return nil }
    let to = node.elementType(of: output)
    guard from != to, let width = from.bitCount, let wanted = to.bitCount else {
      return node.moved(0, output.flat)
    }
    let first = output.flat * wanted / width
    let terms = node.terms(0, first..<max((output.flat + 1) * wanted / width, first + 1))
    let start = output.flat * wanted / 8
    guard let bytes = node.input(0)?.bytes.array(), start + wanted / 8 <= bytes.count else {
      return nil
    }
    let own = Array(bytes[start..<start + wanted / 8])
    guard let stored = StoredValue(to, TensorBytes(copying: own), at: 0) else { return nil }
    let bits = own.reversed().map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0\(digits)" : digits
    }
    var steps = StepList()
    steps.add("bytes", "\(bits.joined()) as \(to.schemaName)", stored)
    return NodeDerivation(terms, steps)
  }
}
