// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors

extension SubgraphInstance {
  /// Prepares a node with what the run has computed, gives its outputs memory, and evaluates it.
  ///
  /// Outputs of the predicted types go where the plan has them. Where the run gives others, what
  /// reads them is evaluated in the same way, and the next run goes by another plan.
  func evaluateDeferred(_ index: Int) throws(InferenceError) -> (any Kernel)? {
    let node = try deferredNode(index)
    let slot = plan?.slots[index]
    if surprises.isEmpty {
      if let repetition = slot?.repetition {
        try session.budget.work(repetition.work)
        if repetition.perform() { return nil }
        slot?.keep(nil)
      }
      if let repetition = node.repetition {
        if repetition.values.areThose(of: table) { return try evaluate(repetition, index) }
        node.repetition = nil
      }
    }
    if let sessionOperator = node.sessionOperator {
      try evaluate(sessionOperator, node)
      return nil
    }
    try session.budget.work(NodeWork.preparationWork)
    let preparation = try preparation(of: node)
    let prepared = preparation.prepared
    let (outputs, work) = try allocate(prepared, of: node)
    do throws(KernelError) {
      try preparer.evaluate(prepared, subgraph.nodes[index], outputs: outputs, table)
    } catch {
      try session.checkProgress()
      throw failure(error, index)
    }
    node.repetition = repetition(of: node, preparation, outputs, work: work)
    return prepared.kernel
  }

  /// How a node is computed with what the latest run left in its inputs; nil where the operator
  /// runs as part of a session only.
  func preparation(
    ofNode index: Int
  ) throws(InferenceError) -> Prepared? {
    let node = try deferredNode(index)
    return node.sessionOperator == nil ? try preparation(of: node).prepared : nil
  }

  /// Goes by the plan with a node.
  func settle(_ node: DeferredNode) {
    node.repetition = nil
    node.places = node.outputs.map { tensor in
      guard table.predicted.contains(tensor), plan?.memory.place(of: tensor) != nil,
        let type = table.types[tensor], let bytes = table.bytes[tensor]
      else { return nil }
      return TensorValue(type, bytes)
    }
  }

  private func deferredNode(_ index: Int) throws(InferenceError) -> DeferredNode {
    if deferredNodes.isEmpty {
      deferredNodes = Array(repeating: nil, count: subgraph.nodes.count)
    }
    if let known = deferredNodes[index] { return known }
    let made = try DeferredNode(index, of: subgraph, session.options.customOperators)
    settle(made)
    deferredNodes[index] = made
    return made
  }

  private func evaluate(
    _ repetition: DeferredNode.KernelRepetition, _ index: Int
  ) throws(InferenceError) -> any Kernel {
    try session.budget.work(repetition.work)
    try session.checkTime(for: repetition.work)
    do throws(KernelError) {
      try repetition.kernel.evaluate(repetition.frame)
    } catch {
      try session.checkProgress()
      throw failure(error, index)
    }
    return repetition.kernel
  }

  /// How a node that has just been evaluated may be evaluated again; nil where its tensors may move.
  private func repetition(
    of node: DeferredNode, _ preparation: DeferredNode.Preparation, _ outputs: [TensorBytes],
    work: Int
  ) -> DeferredNode.KernelRepetition? {
    let prepared = preparation.prepared
    guard surprises.isEmpty, prepared.isPure, prepared.scratch.isEmpty,
      node.places.allSatisfy({ $0 != nil }), node.inputs.allSatisfy(isInPlace)
    else { return nil }
    let frame = TensorFrame(
      inputs: node.inputs.map { $0 < 0 ? nil : table.bytes[$0] }, outputs: outputs,
      progress: session.progress)
    return DeferredNode.KernelRepetition(preparation, work: work, frame: frame)
  }

  /// Whether a tensor stays where it is until there is another plan; absent ones do.
  private func isInPlace(_ tensor: Int) -> Bool {
    guard tensor >= 0 else { return true }
    switch table.sources[tensor] {
    case .constant, .variable: return true
    case .undefined, .input, .node: return plan?.memory.place(of: tensor) != nil
    }
  }

  /// How the node is computed: as the last time, where the types of its inputs are the same, and
  /// the values that its operator asks for.
  private func preparation(
    of node: DeferredNode
  ) throws(InferenceError) -> DeferredNode.Preparation {
    let types = node.inputs.map { $0 < 0 ? nil : table.types[$0] }
    if let known = node.preparation, known.types == types,
      node.shown.isEmpty || known.prepared.isPure && known.values.areThose(of: table)
    {
      return known
    }
    while true {
      do throws(InferenceError) {
        let prepared = try prepare(node)
        let values = DeferredNode.KnownValues(node.shown.map { node.inputs[$0] }, table)
        let made = DeferredNode.Preparation(types: types, values: values, prepared: prepared)
        node.preparation = made
        return made
      } catch {
        guard case .kernel(let reason) = error.reason,
          case .valueNeeded(let position) = reason.kind, node.inputs.indices.contains(position),
          !node.shown.contains(position)
        else { throw error }
        node.shown.append(position)
      }
    }
  }

  private func prepare(_ deferred: DeferredNode) throws(InferenceError) -> Prepared {
    let node = subgraph.nodes[deferred.index]
    let context = try preparer.context(for: node, table, shown: deferred.shown)
    do throws(KernelError) {
      for (position, tensor) in node.inputs.enumerated() where tensor >= 0 {
        _ = try value(of: tensor, position)
      }
      guard let context else { throw KernelError.invalid("a type is not known") }
      return preparer.optimized(
        try preparer.prepare(node, deferred.nodeOperator, context), context)
    } catch {
      throw failure(error, deferred.index)
    }
  }

  private func value(of tensor: Int, _ position: Int) throws(KernelError) -> TensorValue {
    guard let type = table.types[tensor], let bytes = table.bytes[tensor] else {
      throw .invalid("has no value", .input(position))
    }
    return TensorValue(type, bytes)
  }

  /// Runs an operator that runs subgraphs, or reads and writes what lasts.
  private func evaluate(
    _ sessionOperator: any SessionOperator, _ node: DeferredNode
  ) throws(InferenceError) {
    let values: [TensorValue]
    let sessionNode: SessionNode
    let work = NodeWork.callWork + table.byteCount(of: node.inputs)
    try session.budget.work(work)
    do throws(KernelError) {
      var inputs: [TensorValue?] = []
      inputs.reserveCapacity(node.inputs.count)
      for (position, tensor) in node.inputs.enumerated() {
        inputs.append(tensor < 0 ? nil : try value(of: tensor, position))
      }
      sessionNode = SessionNode(inputs: inputs, declaredOutputs: node.declaredOutputs)
      values = try sessionOperator.values(sessionNode, in: session)
    } catch {
      throw session.takeCalleeError() ?? failure(error, node.index)
    }
    for (position, (tensor, value)) in zip(node.outputs, values).enumerated() {
      // Where a subgraph left its results, its next run leaves others.
      if let place = node.places[position], place.type.shape == value.type.shape,
        place.bytes.copy(from: value.bytes)
      {
        continue
      }
      surprise(tensor)
      table.types[tensor] = node.declaredOutputs[position].with(shape: value.type.shape)
      try take(value.bytes.byteCount, for: tensor)
      table.bytes[tensor] = value.copied().bytes
    }
    correctPrediction(of: node)
    plan?.slots[node.index]?.keep(
      repetition(of: node, sessionOperator, sessionNode, values, work: work))
  }

  /// What running an operator of a session again comes to; nil where it is to run as before.
  private func repetition(
    of node: DeferredNode, _ sessionOperator: any SessionOperator, _ sessionNode: SessionNode,
    _ values: [TensorValue], work: Int
  ) -> SessionRepetition? {
    // Handles are the first inputs.
    guard surprises.isEmpty,
      node.inputs.first.map({ $0 >= 0 && table.sources[$0] == .constant }) ?? true,
      let shortcut = sessionOperator.shortcut(sessionNode, in: session)
    else { return nil }
    switch shortcut {
    case .nothing:
      return SessionRepetition(work: work)
    case .read(let variable):
      guard let place = node.places.first ?? nil, place.type.shape == values.first?.type.shape
      else { return nil }
      return SessionRepetition(
        variable, from: variable.value.bytes, to: place.bytes, work: work)
    case .assign(let variable):
      guard node.inputs.count == 2, isInPlace(node.inputs[1]),
        let source = table.bytes[node.inputs[1]]
      else { return nil }
      return SessionRepetition(
        variable, from: source, to: variable.value.bytes, work: work)
    }
  }

  /// Notes that an output has another type than the plan has predicted, if it has.
  private func surprise(_ tensor: Int) {
    if table.predicted.contains(tensor) { surprises.insert(tensor) }
  }

  /// Predicts what a node has given, if something else was predicted or nothing.
  private func correctPrediction(of node: DeferredNode) {
    let isRight = node.outputs.allSatisfy {
      table.predicted.contains($0) && !surprises.contains($0)
    }
    guard !isRight else { return }
    predictions.correct(node.index, to: node.outputs.map { table.types[$0] })
  }

  /// Gives the outputs of a deferred node memory, or a copy of the input which they repeat; and
  /// counts its work.
  private func allocate(
    _ prepared: Prepared, of node: DeferredNode
  ) throws(InferenceError) -> (outputs: [TensorBytes], work: Int) {
    try preparer.setTypes(prepared, of: subgraph.nodes[node.index], in: &table)
    let work = table.work(of: subgraph.nodes[node.index], isOptimized: false)
    try session.budget.work(work)
    try session.checkTime(for: work)
    var outputs: [TensorBytes] = []
    for (position, tensor) in node.outputs.enumerated() {
      if let place = node.places[position], place.type == prepared.outputs[position] {
        outputs.append(place.bytes)
        continue
      }
      surprise(tensor)
      let repeated = prepared.repeatedInput.flatMap { table.bytes[node.inputs[$0]] }
      let wanted = repeated?.byteCount ?? prepared.byteCount(ofOutput: position)
      do throws(InferenceError) {
        try take(wanted, for: tensor)
      } catch {
        throw InferenceError(error.reason, path: preparer.path(.output(position), tensor))
      }
      outputs.append(
        repeated.map { TensorBytes(copying: $0.span(as: UInt8.self)) }
          ?? TensorBytes(zeroed: wanted ?? 0))
    }
    for (tensor, bytes) in zip(node.outputs, outputs) { table.bytes[tensor] = bytes }
    correctPrediction(of: node)
    return (outputs, work)
  }
}
