// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension UnaryLoop: ExplainableLoop {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    guard let term = node.term(0, output.flat),
      let value: Arithmetic.Input = node.value(0, output.flat)
    else { return nil }
    return .init([term]) { steps in arithmetic.apply(value, &steps) }
  }
}

extension QuantizeLoop: ExplainableLoop {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    guard let term = node.term(0, output.flat), let value: Float = node.value(0, output.flat)
    else { return nil }
    return .init([term]) { steps in
      quantize(value, quantization.channel(at: output.flat), &steps)
    }
  }
}

extension DequantizeLoop: ExplainableLoop {
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    guard let term = node.term(0, output.flat),
      case .integer(let value) = term.factors[0].element.stored
    else { return nil }
    return .init([term]) { steps in
      real(
        Int32(truncatingIfNeeded: value), quantization.channel(at: output.flat), &steps)
    }
  }
}
