// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import ReferenceKernels
import Tensors

/// One element of one node's output, to be explained and computed once more.
struct ExplainedTask {
  let explainer: Explainer
  let node: EvaluatedNode
  let subgraph: Int
  let output: OutputLocation

  /// The explanation, and, where it is wanted, the value computed once more.
  func explain(
    _ stored: StoredValue, recomputes: Bool
  ) throws(InferenceError) -> (ExplainedNode, Recomputation?) {
    let prepared = try explainer.interpreter.preparation(
      ofNode: node.index, inSubgraph: subgraph)
    let derivation: NodeDerivation?
    do throws(KernelError) {
      if let prepared {
        derivation = try self.derivation(prepared)
      } else {
        derivation = SessionDerivations(
          explainer: explainer, node: node, subgraph: subgraph, output: output
        ).derivation()
      }
    } catch {
      throw InferenceError(.kernel(error))
    }
    let kernel = prepared.map { name(of: $0.kernel) }
    let explained = ExplainedNode(
      index: node.index, operatorName: node.node.identity.name, output: output.position,
      kernel: kernel, sources: sources(kernel),
      inputs: node.inputs.map { input in
        input.map { ExplainedInput(tensor: $0.tensor, isConstant: $0.isConstant) }
      },
      terms: derivation?.terms ?? [], bias: derivation?.bias, steps: derivation?.steps.steps ?? [],
      remark: derivation.map(\.remark) ?? Self.remark(kernel: kernel))
    guard recomputes else { return (explained, nil) }
    return (explained, try recompute(stored, derivation?.result, prepared))
  }

  /// The types of the kernel, and the operator.
  private func sources(_ kernel: String?) -> [KernelSource] {
    let customOperators = explainer.interpreter.options.customOperators
    let entry = customOperators.entry(of: node.node.identity)
    return (kernel.map(KernelSource.sources) ?? []) + (entry.map { [KernelSource($0)] } ?? [])
  }

  private static func remark(kernel: String?) -> String {
    kernel == nil
      ? "the engine itself runs this operator; what it read is listed, not how the value came out"
      : "what the kernel read is listed as a whole; its single products are not"
  }

  /// How the kernel computes the element; nil where it cannot tell.
  private func derivation(_ prepared: Prepared) throws(KernelError) -> NodeDerivation? {
    let planned = explainer.interpreter.plannedKernel(ofNode: node.index, inSubgraph: subgraph)
    if let explainable = (planned ?? prepared.kernel) as? any ExplainableKernel {
      return try explainable.derivation(of: output, in: node)
    }
    // The planned kernel keeps what lasts from one run to the next.
    if let stepped = (planned as? any SteppedKernel) ?? (prepared.kernel as? any SteppedKernel) {
      return try stepped.derivation(of: output, in: node, scratch: prepared.scratch)
    }
    guard let moving = prepared.kernel as? any MovingKernel,
      node.outputs[output.position].tensor.type.elementType.bitCount != nil
    else { return nil }
    guard
      let origin = try ElementOrigin(
        of: output, movedBy: moving, in: node, scratch: prepared.scratch),
      let term = node.term(origin.input, origin.flat)
    else { return filling(moving) }
    return NodeDerivation(moving: term)
  }

  /// What a moving kernel puts where no element comes to.
  private func filling(_ kernel: any MovingKernel) -> NodeDerivation? {
    guard let bytes = kernel.filling,
      let stored = StoredValue(node.elementType(of: output), bytes, at: 0)
    else { return nil }
    var steps = StepList()
    steps.add("filled", "what the operator puts where no element comes to", stored)
    return NodeDerivation([], steps)
  }

  private func recompute(
    _ stored: StoredValue, _ result: StoredValue?, _ prepared: Prepared?
  ) throws(InferenceError) -> Recomputation {
    func compared(_ method: Recomputation.Method, _ value: StoredValue?) -> Recomputation {
      Recomputation(
        method: method, value: value, isEqual: value.map(stored.isIdentical) ?? false)
    }
    if let result { return compared(.steps, result) }
    guard let prepared, prepared.isPure else {
      return compared(.model, try valueInSecondRun())
    }
    do throws(KernelError) {
      return compared(.kernel, try value(computedBy: prepared))
    } catch {
      throw InferenceError(.kernel(error))
    }
  }

  /// The element as the kernel computes it from the same inputs.
  private func value(computedBy prepared: Prepared) throws(KernelError) -> StoredValue? {
    let inputs = node.inputs.map { input -> TensorBytes? in
      guard let input else { return nil }
      // A kernel may write to its variables.
      return input.isConstant
        ? input.bytes : TensorBytes(copying: input.bytes.span(as: UInt8.self))
    }
    let outputs = node.outputs.map { TensorBytes(zeroed: $0.bytes.byteCount) }
    let frame = TensorFrame(
      inputs: inputs, outputs: outputs, scratch: prepared.scratch.map(TensorBytes.init(zeroed:)))
    try prepared.kernel.evaluate(frame)
    let type = node.outputs[output.position].tensor.type
    return StoredValue(type.elementType, outputs[output.position], at: output.flat)
  }

  /// The element after a run of the whole model on the same inputs, by another interpreter.
  private func valueInSecondRun() throws(InferenceError) -> StoredValue? {
    let tensor = node.node.outputs[output.position]
    guard let table = try explainer.secondRun().table(ofSubgraph: subgraph),
      let type = table.types[tensor], let bytes = table.bytes[tensor]
    else { return nil }
    return StoredValue(type.elementType, bytes, at: output.flat)
  }
}

extension NodeDerivation {
  /// The derivation of an element that is the one of `term` as it is.
  init(moving term: ExplainedTerm) {
    let value = term.factors[0].element.stored
    var steps = StepList()
    steps.add("moved", "the element as it is", value)
    self.init([term], steps)
  }
}
