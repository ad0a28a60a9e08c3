// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels
import Tensors

extension SteppedKernel {
  /// What the kernel tells of an element when it runs again on what the node read.
  package func derivation(
    of output: OutputLocation, in node: EvaluatedNode, scratch: [Int]
  ) throws(KernelError) -> NodeDerivation? {
    let inputs = node.inputs.map { input -> TensorBytes? in
      guard let input else { return nil }
      // A kernel may write to its variables.
      return input.isConstant
        ? input.bytes : TensorBytes(copying: input.bytes.span(as: UInt8.self))
    }
    let outputs = node.outputs.map { TensorBytes(zeroed: $0.bytes.byteCount) }
    let scratch = scratch.map(TensorBytes.init(zeroed:))
    let frame = TensorFrame(inputs: inputs, outputs: outputs, scratch: scratch)
    var steps = StepList(
      of: StepList.Run(
        wanted: output, inputs: inputs, outputs: outputs, scratch: scratch,
        inputTypes: node.inputs.map { $0?.tensor.type },
        outputTypes: node.outputs.map(\.tensor.type)))
    try evaluate(frame, &steps)
    let type = node.outputs[output.position].tensor.type.elementType
    let result = StoredValue(type, outputs[output.position], at: output.flat)
    if let result {
      steps.addResult(result, of: steps.terms.count)
      steps.addStored(result, as: type)
    }
    return NodeDerivation(
      terms: steps.terms.compactMap { term in
        let factors = term.factors.compactMap(node.factor)
        return factors.isEmpty
          ? nil : ExplainedTerm(factors: factors, value: term.value, part: term.part)
      }, bias: steps.bias.flatMap(node.factor), steps: steps,
      result: result)
  }
}
