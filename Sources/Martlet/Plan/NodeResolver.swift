// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// Prepares nodes in order: infers types, computes constants, and finds what must wait for a run.
struct NodeResolver {
  let subgraph: ModelFile.Subgraph
  let model: Model
  let settings: ExecutionPlan.Settings
  var table: TensorTable
  var nodes: [ResolvedNode] = []
  /// Sparse constants that the table holds with all of their elements by now.
  var densified: Set<Int> = []

  init(
    _ subgraph: ModelFile.Subgraph, of model: Model, table: TensorTable,
    settings: ExecutionPlan.Settings
  ) {
    self.subgraph = subgraph
    self.model = model
    self.table = table
    self.settings = settings
  }

  mutating func resolveAll() throws(InferenceError) {
    nodes.reserveCapacity(subgraph.nodes.count)
    for index in subgraph.nodes.indices {
      do throws(InferenceError) {
        nodes.append(try resolve(index))
      } catch {
        let step = ModelError.Step.operator(index, name: subgraph.nodes[index].identity.name)
        throw InferenceError(error.reason, path: [step] + error.path)
      }
    }
  }

  private mutating func resolve(_ index: Int) throws(InferenceError) -> ResolvedNode {
    let node = subgraph.nodes[index]
    try claimOutputs(of: index)
    try densifyInputs(of: node)
    let nodeOperator = try settings.customOperators.makeOperator(for: node)
    guard let context = try context(for: node) else { return wait(index) }
    let prepared: Prepared
    do throws(KernelError) {
      prepared = try nodeOperator.prepare(context)
    } catch {
      if case .valueNeeded(let position) = error.kind, !isKnown(node, position) {
        return wait(index)
      }
      // What runs as part of a session refuses to be prepared. It is asked afterwards, as finding
      // out takes the runtime longer than preparing a node.
      if nodeOperator is any SessionOperator { return wait(index) }
      throw InferenceError(.kernel(error), path: path(of: error, in: node))
    }
    guard prepared.outputs.count == node.outputs.count else {
      throw InferenceError(
        .invalidGraph("\(node.outputs.count) outputs, wanted \(prepared.outputs.count)"))
    }
    guard prepared.outputs.allSatisfy({ $0.byteCount != nil }) else { return wait(index) }
    try setTypes(of: node, prepared.outputs)
    try table.checkWork(of: node, limit: settings.limits.nodeOperationCount)
    if prepared.isPure, prepared.dependsOnTypesOnly || context.inputs.allSatisfy(isConstant) {
      let kernels = settings.kernels
      try fold(node, kernels.applied(to: prepared, of: context, weights: model.weights))
      return ResolvedNode(index: index, state: .folded)
    }
    return ResolvedNode(
      index: index, state: .prepared(PreparedNode(index, node, prepared, context)))
  }

  /// What the node's operator may see; nil while the type of an input is unknown.
  func context(for node: ModelFile.Node) throws(InferenceError) -> PrepareContext? {
    var operands: [PrepareContext.Operand?] = []
    for (position, tensor) in node.inputs.enumerated() {
      guard tensor >= 0 else {
        operands.append(nil)
        continue
      }
      guard table.sources[tensor] != .undefined else { throw undefinedInput(tensor, at: position) }
      if let excess = table.types[tensor]?.emptyExcess(over: settings.limits.tensorByteCount) {
        throw InferenceError(
          excess, path: [.input(position), .tensor(tensor, name: subgraph.tensors[tensor].name)])
      }
      if table.sources[tensor] == .constant, let type = table.types[tensor],
        let sparsity = sparsity(of: tensor)
      {
        operands.append(
          PrepareContext.Operand(type, bytes: table.bytes[tensor], sparsity: sparsity))
        continue
      }
      guard
        let operand = table.operand(tensor, subgraph.tensors[tensor], showsValue: false)
      else { return nil }
      operands.append(operand)
    }
    return PrepareContext(
      node, of: subgraph, in: model, operands: operands, rounding: settings.rounding)
  }

  private func undefinedInput(_ tensor: Int, at input: Int) -> InferenceError {
    InferenceError(
      .invalidGraph("is read before anything has given it a value"),
      path: [.input(input), .tensor(tensor, name: subgraph.tensors[tensor].name)])
  }

  /// Notes that the node writes its outputs; nothing else may have given them values, and the node
  /// itself does not read them.
  private mutating func claimOutputs(of index: Int) throws(InferenceError) {
    let inputs = subgraph.nodes[index].inputs
    for (position, tensor) in subgraph.nodes[index].outputs.enumerated() {
      guard tensor >= 0 else {
        throw InferenceError(.invalidGraph("is absent"), path: [.output(position)])
      }
      guard table.sources[tensor] == .undefined else {
        throw InferenceError(
          .invalidGraph("is written although it has a value already"),
          path: [.output(position), .tensor(tensor, name: subgraph.tensors[tensor].name)])
      }
      if let input = inputs.firstIndex(of: tensor) { throw undefinedInput(tensor, at: input) }
    }
    for tensor in subgraph.nodes[index].outputs { table.sources[tensor] = .node(index) }
  }

  private mutating func wait(_ index: Int) -> ResolvedNode {
    for tensor in subgraph.nodes[index].outputs { table.types[tensor] = nil }
    return ResolvedNode(index: index, state: .deferred)
  }

  private mutating func setTypes(
    of node: ModelFile.Node, _ types: [TensorType]
  ) throws(InferenceError) {
    for (tensor, type) in zip(node.outputs, types) {
      table.types[tensor] = type
      if let excess = type.excess(of: type.byteCount, over: settings.limits.tensorByteCount) {
        throw InferenceError(
          excess, path: [.tensor(tensor, name: subgraph.tensors[tensor].name)])
      }
    }
  }

  /// Computes the node now.
  private mutating func fold(
    _ node: ModelFile.Node, _ prepared: Prepared
  ) throws(InferenceError) {
    let outputs = prepared.outputs.map { TensorBytes(zeroed: $0.byteCount ?? 0) }
    let frame = TensorFrame(
      inputs: node.inputs.map { $0 < 0 ? nil : table.bytes[$0] }, outputs: outputs,
      scratch: prepared.scratch.map(TensorBytes.init(zeroed:)))
    do throws(KernelError) {
      try prepared.kernel.evaluate(frame)
    } catch {
      throw InferenceError(.kernel(error), path: path(of: error, in: node))
    }
    for (tensor, bytes) in zip(node.outputs, outputs) {
      table.bytes[tensor] = bytes
      table.sources[tensor] = .constant
    }
  }

  private func isConstant(_ operand: PrepareContext.Operand?) -> Bool {
    operand?.isConstant ?? true
  }

  private func isKnown(_ node: ModelFile.Node, _ position: Int) -> Bool {
    guard position < node.inputs.count, node.inputs[position] >= 0 else { return false }
    return table.sources[node.inputs[position]] == .constant
  }

  private func path(of error: KernelError, in node: ModelFile.Node) -> [ModelError.Step] {
    subgraph.path(of: error, in: node)
  }
}

extension ModelFile.Subgraph {
  /// The tensor that `error` is about, as steps from its node.
  func path(of error: KernelError, in node: ModelFile.Node) -> [ModelError.Step] {
    let (step, tensor): (ModelError.Step, Int)
    switch error.tensor {
    case .input(let position):
      guard node.inputs.indices.contains(position) else { return [.input(position)] }
      (step, tensor) = (.input(position), node.inputs[position])
    case .output(let position):
      guard node.outputs.indices.contains(position) else { return [.output(position)] }
      (step, tensor) = (.output(position), node.outputs[position])
    case nil: return []
    }
    return tensors.indices.contains(tensor)
      ? [step, .tensor(tensor, name: tensors[tensor].name)] : [step]
  }
}
