// SPDX-License-Identifier: Apache-2.0

import ModelFormat
package import ReferenceKernels
package import Tensors

/// Computes single nodes of a model on inputs that the caller gives.
///
/// Each is computed by the kernel, and in the memory, that a run of the whole model would use with
/// the same options, an observer of every node being present. What nodes leave behind for later
/// ones (variables, tables, random generators) lasts as long as the evaluator: nodes that use such
/// things are computed in the order of a run.
package final class NodeEvaluator {
  private let session: Session

  /// An evaluator of the nodes of `model`.
  package init(_ model: Model, options: Interpreter.Options) {
    session = Session(model, options: options)
    session.computesNodesAlone = true
  }

  /// Plans a subgraph for inputs of these shapes, by tensor index; others are as declared.
  ///
  /// - Throws: `InferenceError` that names the node that cannot be prepared.
  package func prepare(_ subgraph: Int, inputShapes: [Int: Shape]) throws(InferenceError) {
    let instance = try instance(subgraph)
    for (tensor, shape) in inputShapes { instance.resize(tensor, to: shape) }
    try instance.prepare()
  }

  /// Computes a node.
  ///
  /// - Parameters:
  ///   - node: its index in its subgraph.
  ///   - subgraph: the index of the subgraph.
  ///   - inputs: values by position; nil where the tensor shall keep those that it has, which for
  ///     constants are the model's whatever is given.
  /// - Returns: the outputs, which stay as they are until the next node of the subgraph.
  /// - Throws: `InferenceError` for values of a type or shape that the node is not planned for, and
  ///   where it fails on them.
  package func evaluate(
    _ node: Int, of subgraph: Int, inputs: [TensorValue?]
  ) throws(InferenceError) -> [TensorValue] {
    let instance = try instance(subgraph)
    guard instance.subgraph.nodes.indices.contains(node) else {
      throw .invalidRequest(
        "no node \(node): subgraph \(subgraph) has "
          + "\(instance.subgraph.nodes.count)")
    }
    session.beginInvocation()
    do throws(InferenceError) {
      var outputs: [TensorValue] = []
      try session.team.region { () throws(InferenceError) in
        outputs = try instance.evaluate(node, inputs: inputs)
      }
      return outputs
    } catch {
      let name = instance.subgraph.nodes[node].identity.name
      throw error.within(.operator(node, name: name)).within(.subgraph(subgraph))
    }
  }

  /// Whether a tensor of a subgraph has a value: the model's, or what a node has left there.
  package func hasValue(_ tensor: Int, of subgraph: Int) -> Bool {
    guard let table = session.usedInstance(subgraph)?.table else { return false }
    return table.bytes.indices.contains(tensor) && table.bytes[tensor] != nil
  }

  private func instance(_ subgraph: Int) throws(InferenceError) -> SubgraphInstance {
    guard session.model.file.subgraphs.indices.contains(subgraph) else {
      throw .invalidRequest(
        "no subgraph \(subgraph): the model has \(session.model.file.subgraphs.count)")
    }
    return session.instance(subgraph)
  }
}

extension SubgraphInstance {
  /// Computes one node on these values and gives its outputs.
  fileprivate func evaluate(
    _ index: Int, inputs: [TensorValue?]
  ) throws(InferenceError) -> [TensorValue] {
    try prepare()
    let node = subgraph.nodes[index]
    for (position, (tensor, value)) in zip(node.inputs, inputs).enumerated() {
      guard tensor >= 0, let value else { continue }
      do throws(InferenceError) {
        try assign(value, to: tensor)
      } catch {
        throw error.within(.input(position))
      }
    }
    if let step = plan?.steps[index] { _ = try evaluate(step, index) }
    var outputs: [TensorValue] = []
    for tensor in node.outputs {
      guard let type = table.types[tensor], let bytes = table.bytes[tensor] else {
        throw .invalidRequest("output tensor \(tensor) has no value")
      }
      outputs.append(TensorValue(type, bytes))
    }
    return outputs
  }

  /// Gives a tensor the values that the next node reads; constants and handles keep their own.
  private func assign(_ value: TensorValue, to tensor: Int) throws(InferenceError) {
    guard let plan, table.sources[tensor] != .constant else { return }
    let declared = subgraph.tensors[tensor].type
    guard value.type.elementType == declared.elementType else {
      throw .invalidRequest(
        "given \(value.type.elementType.schemaName), wanted \(declared.elementType.schemaName)")
    }
    if declared.elementType == .resource || declared.elementType == .variant { return }
    let isPlanned = plan.memory.place(of: tensor) != nil || table.sources[tensor] == .variable
    if isPlanned, let planned = table.types[tensor], planned.byteCount != nil,
      let location = table.bytes[tensor]
    {
      guard planned.shape == value.type.shape, location.copy(from: value.bytes) else {
        throw .invalidRequest("given \(value.type), wanted \(planned)")
      }
      return
    }
    // Strings, and what only the run decides about: no memory is planned for them.
    table.types[tensor] = TensorType(
      declared.elementType, value.type.shape, quantization: declared.quantization)
    table.bytes[tensor] = value.copied().bytes
  }
}
