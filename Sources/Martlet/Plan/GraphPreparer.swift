// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors

/// Prepares the nodes of a graph in order: infers types, computes constants, and finds what must
/// wait for a run.
///
/// What a node gives that waits for the run is planned as predicted, where predictions are wanted;
/// the run finds out whether that was right, see `SubgraphInstance.evaluateDeferred`.
struct GraphPreparer {
  private let preparer: NodePreparer
  private let subgraph: ModelFile.Subgraph
  private(set) var table: TensorTable
  private(set) var budget: PlanBudget
  /// Whether something else reads what each node computes, or it does more than compute.
  private let isNeeded: [Bool]
  /// What nodes that wait for the run are taken to give; nil where nothing is predicted.
  private let predictions: Predictions?
  /// Nodes that replace rows, by the one that joins them.
  let replacements: [Int: RowReplacement]
  /// The slices of those nodes.
  private let replacedSlices: Set<Int>
  /// Whether the nodes seen so far keep nothing from one run to the next.
  private(set) var isPure: Bool
  /// For weights that are widened to be packed.
  let passingMemory = PassingMemory()

  init(
    _ preparer: NodePreparer, table: TensorTable, budget: PlanBudget, predictions: Predictions?
  ) {
    self.preparer = preparer
    self.predictions = predictions
    subgraph = preparer.subgraph
    self.table = table
    self.budget = budget
    isNeeded = preparer.subgraph.neededNodes
    isPure = !table.sources.contains(.variable)
    replacements = RowReplacement.all(in: preparer.subgraph, table)
    replacedSlices = Set(replacements.values.flatMap(\.slices))
  }

  /// All nodes, each with its reference kernel.
  ///
  /// - Throws: `InferenceError` that names the node that cannot be prepared.
  mutating func nodes() throws(InferenceError) -> [NodePlan<PreparedNode>] {
    var nodes: [NodePlan<PreparedNode>] = []
    nodes.reserveCapacity(subgraph.nodes.count)
    for index in subgraph.nodes.indices {
      do throws(InferenceError) {
        nodes.append(try plan(index))
      } catch {
        throw error.within(.operator(index, name: subgraph.nodes[index].identity.name))
      }
    }
    return nodes
  }

  private mutating func plan(_ index: Int) throws(InferenceError) -> NodePlan<PreparedNode> {
    let node = subgraph.nodes[index]
    try budget.work(NodeWork.preparationWork)
    try claimOutputs(of: index)
    try densifyInputs(of: node)
    let operators = preparer.settings.customOperators
    let nodeOperator = try operators.makeOperator(for: node)
    if let caller = operators.sessionOperator(of: node) {
      return try plan(caller, index)
    }
    guard let context = try preparer.context(for: node, table) else { return deferred(index) }
    let prepared: Prepared
    do throws(KernelError) {
      prepared = try preparer.prepare(node, nodeOperator, context)
    } catch {
      if case .valueNeeded(let position) = error.kind, !isConstant(node, position) {
        return deferred(index)
      }
      throw preparer.failure(error, node)
    }
    let isPredicted = node.inputs.contains { table.predicted.contains($0) }
    // What goes on where the run before has ended is computed in one place.
    guard prepared.outputs.allSatisfy({ $0.byteCount != nil }), prepared.isPure || !isPredicted
    else { return deferred(index) }
    try budget.take(prepared.heldByteCount)
    try preparer.setTypes(prepared, of: node, in: &table)
    if isPredicted {
      table.predicted.formUnion(node.outputs)
    } else if isNeeded[index], try fold(node, prepared, context) {
      return .folded
    }
    if !prepared.isPure { isPure = false }
    return .computed(
      PreparedNode(index, inputs: node.inputs, outputs: node.outputs, prepared, context))
  }

  /// Notes that the node writes its outputs; nothing else may have given them values, the node names
  /// none of them twice, and does not read them itself.
  private mutating func claimOutputs(of index: Int) throws(InferenceError) {
    let inputs = subgraph.nodes[index].inputs
    for (position, tensor) in subgraph.nodes[index].outputs.enumerated() {
      guard tensor >= 0 else {
        throw InferenceError(.invalidGraph("is absent"), path: [.output(position)])
      }
      guard table.sources[tensor] == .undefined else {
        throw InferenceError(
          .invalidGraph("is written although it has a value already"),
          path: preparer.path(.output(position), tensor))
      }
      if let input = inputs.firstIndex(of: tensor) {
        throw preparer.undefinedInput(tensor, at: input)
      }
      table.sources[tensor] = .node(index)
    }
  }

  /// A node whose operator runs as part of a session: run now if that gives the same as in every
  /// run.
  private mutating func plan(
    _ made: any SessionOperator, _ index: Int
  ) throws(InferenceError) -> NodePlan<PreparedNode> {
    try preparer.model.file.checkCalls(of: made)
    guard made.isLasting, subgraph.nodes[index].inputs.isEmpty else { return deferred(index) }
    isPure = false
    let outputs = subgraph.nodes[index].outputs
    let values = try preparer.values(of: made, subgraph.nodes[index])
    for (tensor, value) in zip(outputs, values) {
      (table.types[tensor], table.bytes[tensor]) = (value.type, value.bytes)
      table.sources[tensor] = .constant
    }
    return .folded
  }

  /// What a node that waits for the run is taken to give; nil where nothing is.
  private func predictedTypes(ofNode index: Int) -> [TensorType]? {
    guard let predictions, !replacedSlices.contains(index) else { return nil }
    let replaced = replacements[index]?.type(table).map { [$0] }
    return predictions.types(ofNode: index, in: subgraph, expecting: replaced)
  }

  private mutating func deferred(_ index: Int) -> NodePlan<PreparedNode> {
    let outputs = subgraph.nodes[index].outputs
    let limit = preparer.settings.limits.tensorByteCount
    let types = predictedTypes(ofNode: index)
    let isPredicted =
      types?.allSatisfy { type in
        type.byteCount.map { type.excess(of: $0, over: limit) == nil } ?? false
      } ?? false
    isPure = false
    for (position, tensor) in outputs.enumerated() {
      table.types[tensor] = isPredicted ? types?[position] : nil
      if isPredicted { table.predicted.insert(tensor) }
    }
    return .deferred
  }

  /// Computes a node now if all that it reads is constant, and the budget allows it.
  private mutating func fold(
    _ node: ModelFile.Node, _ prepared: Prepared, _ context: PrepareContext
  ) throws(InferenceError) -> Bool {
    guard prepared.isPure,
      prepared.dependsOnTypesOnly || context.inputs.allSatisfy({ $0?.isConstant ?? true }),
      budget.takes(prepared.outputs, work: table.work(of: node, isOptimized: false))
    else { return false }
    if let derived = widenedHalves(node, prepared, context) {
      table.bytes[node.outputs[0]] = derived
      table.sources[node.outputs[0]] = .constant
      return true
    }
    let outputs = prepared.outputs.map { TensorBytes(zeroed: $0.byteCount ?? 0) }
    do throws(KernelError) {
      try preparer.evaluate(preparer.optimized(prepared, context), node, outputs: outputs, table)
    } catch {
      try preparer.checkProgress()
      throw preparer.failure(error, node)
    }
    for (tensor, bytes) in zip(node.outputs, outputs) {
      table.bytes[tensor] = bytes
      table.sources[tensor] = .constant
    }
    return true
  }

  /// What a node gives that widens a float16 constant, to be computed when it is asked for; nil for
  /// other nodes.
  ///
  /// Most of these are weights, of which only the packed form is kept.
  private func widenedHalves(
    _ node: ModelFile.Node, _ prepared: Prepared, _ context: PrepareContext
  ) -> TensorBytes? {
    guard node.identity.code == .dequantize, prepared.scratch.isEmpty,
      context.inputs.first??.type.elementType == .float16,
      let halves = table.bytes[node.inputs[0]], prepared.outputs.count == 1,
      let byteCount = prepared.outputs[0].byteCount
    else { return nil }
    let kernel = preparer.optimized(prepared, context).kernel
    return TensorBytes(deriving: byteCount, from: halves, in: passingMemory) { floats in
      // Conversions do not fail, and are part of no run that may be stopped.
      try? kernel.evaluate(TensorFrame(inputs: [halves], outputs: [floats]))
    }
  }

  private func isConstant(_ node: ModelFile.Node, _ position: Int) -> Bool {
    guard position < node.inputs.count, node.inputs[position] >= 0 else { return false }
    return table.sources[node.inputs[position]] == .constant
  }

  /// Gives the node's sparse operands all of their elements, so that every operator takes them.
  ///
  /// `DENSIFY` is left out: it does the same itself.
  ///
  /// - Throws: `InferenceError` for inconsistent sparsity, or more elements than memory may hold.
  private mutating func densifyInputs(of node: ModelFile.Node) throws(InferenceError) {
    guard node.identity.code != .densify else { return }
    for (position, tensor) in node.inputs.enumerated() where table.packed.contains(tensor) {
      guard let sparsity = subgraph.tensors[tensor].sparsity, let bytes = table.bytes[tensor],
        let type = table.types[tensor]
      else { continue }
      let path = preparer.path(.input(position), tensor)
      if let excess = type.excess(
        of: type.byteCount, over: preparer.settings.limits.tensorByteCount)
      {
        throw InferenceError(excess, path: path)
      }
      do throws(InferenceError) {
        try budget.take(type.byteCount)
      } catch {
        throw InferenceError(error.reason, path: path)
      }
      do throws(KernelError) {
        table.bytes[tensor] = try SparseLayout.densified(bytes, sparsity, type, .input(position))
      } catch {
        throw InferenceError(.kernel(error), path: path)
      }
      table.packed.remove(tensor)
    }
  }
}
