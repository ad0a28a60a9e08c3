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
    if let sessionOperator = node.sessionOperator {
      try evaluate(sessionOperator, node)
      return nil
    }
    try session.budget.work(NodeWork.preparationWork)
    let prepared = try preparation(of: node)
    let outputs = try allocate(prepared, of: node)
    do throws(KernelError) {
      try preparer.evaluate(prepared, subgraph.nodes[index], outputs: outputs, table)
    } catch {
      try session.checkProgress()
      throw failure(error, index)
    }
    return prepared.kernel
  }

  /// How a node is computed with what the latest run left in its inputs; nil where the operator
  /// runs as part of a session only.
  func preparation(
    ofNode index: Int
  ) throws(InferenceError) -> Prepared? {
    let node = try deferredNode(index)
    return node.sessionOperator == nil ? try preparation(of: node) : nil
  }

  /// Where the plan has the outputs of a node that it predicts, by position.
  func places(of node: DeferredNode) -> [TensorValue?] {
    node.outputs.map { tensor in
      guard table.predicted.contains(tensor), plan?.memory.offsets[tensor] != nil,
        let type = table.types[tensor], let bytes = table.bytes[tensor]
      else { return nil }
      return TensorValue(type, bytes)
    }
  }

  private func deferredNode(_ index: Int) throws(InferenceError) -> DeferredNode {
    if let known = deferredNodes[index] { return known }
    let made = try DeferredNode(index, of: subgraph, session.options.customOperators)
    made.places = places(of: made)
    deferredNodes[index] = made
    return made
  }

  /// How the node is computed: as the last time, where the types of its inputs decide and are the
  /// same.
  private func preparation(of node: DeferredNode) throws(InferenceError) -> Prepared {
    let types = node.inputs.map { $0 < 0 ? nil : table.types[$0] }
    switch node.preparation {
    case .fromTypes(let known, let prepared) where known == types: return prepared
    case .fromValues: return try prepare(node, showsValues: true)
    case .fromTypes, nil: break
    }
    do throws(InferenceError) {
      let prepared = try prepare(node, showsValues: false)
      node.preparation = .fromTypes(types, prepared)
      return prepared
    } catch {
      guard case .kernel(let reason) = error.reason, case .valueNeeded = reason.kind else {
        throw error
      }
      node.preparation = .fromValues
      return try prepare(node, showsValues: true)
    }
  }

  private func prepare(
    _ deferred: DeferredNode, showsValues: Bool
  ) throws(InferenceError) -> Prepared {
    let node = subgraph.nodes[deferred.index]
    let context = try preparer.context(for: node, table, showsValues: showsValues)
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
    try session.budget.work(NodeWork.callWork + table.byteCount(of: node.inputs))
    do throws(KernelError) {
      var inputs: [TensorValue?] = []
      inputs.reserveCapacity(node.inputs.count)
      for (position, tensor) in node.inputs.enumerated() {
        inputs.append(tensor < 0 ? nil : try value(of: tensor, position))
      }
      values = try sessionOperator.values(
        SessionNode(inputs: inputs, declaredOutputs: node.declaredOutputs), in: session)
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
      surprise(tensor, node)
      table.types[tensor] = node.declaredOutputs[position].with(shape: value.type.shape)
      try take(value.bytes.byteCount, for: tensor)
      table.bytes[tensor] = value.copied().bytes
    }
  }

  /// Notes that an output has another type than the plan has predicted, if it has.
  private func surprise(_ tensor: Int, _ node: DeferredNode) {
    guard table.predicted.contains(tensor) else { return }
    surprises.insert(tensor)
    unpredictable.insert(node.index)
  }

  /// Gives the outputs of a deferred node memory, or a copy of the input which they repeat.
  private func allocate(
    _ prepared: Prepared, of node: DeferredNode
  ) throws(InferenceError) -> [TensorBytes] {
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
      surprise(tensor, node)
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
    return outputs
  }
}
