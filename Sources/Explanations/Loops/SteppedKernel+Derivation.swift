// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension SteppedKernel {
  /// What the kernel tells of an element when it runs again on what the node read.
  func derivation(
    of output: OutputLocation, in node: EvaluatedNode, scratch: [Int]
  ) throws(KernelError) -> NodeDerivation? {
    let inputs = node.inputs.map { input -> TensorBytes? in
      guard let input else { return nil }
      // A kernel may write to its variables.
      return input.isConstant
        ? input.bytes : TensorBytes(copying: input.bytes.span(as: UInt8.self))
    }
    let outputs = node.outputs.map { TensorBytes(zeroed: $0.bytes.byteCount) }
    let frame = TensorFrame(
      inputs: inputs, outputs: outputs, scratch: scratch.map(TensorBytes.init(zeroed:)))
    var steps = StepList(of: output, in: node, inputs: inputs)
    try evaluate(frame, &steps)
    let type = node.outputs[output.position].tensor.type.elementType
    let result = StoredValue(type, outputs[output.position], at: output.flat)
    if let result {
      steps.addResult(result, of: steps.terms.count)
      steps.addStored(result, as: type)
    }
    return NodeDerivation(
      terms: steps.terms.compactMap { term in
        let factors = term.sources.compactMap { node.factor($0.input, $0.flat) }
        return factors.isEmpty ? nil : ExplainedTerm(factors: factors, value: term.value)
      }, bias: steps.bias.flatMap { node.factor($0.input, $0.flat) }, steps: steps,
      result: result)
  }
}
