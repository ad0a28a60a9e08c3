// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors

/// How a node that waits for the run was prepared last.
enum DeferredPreparation {
  /// With the values of its inputs, which may be others next time.
  case fromValues
  /// From these types of its inputs alone.
  case fromTypes([TensorType?], Prepared)
}

extension SubgraphInstance {
  /// Prepares a node with what the run has computed, gives its outputs memory, and evaluates it.
  func evaluateDeferred(_ index: Int) throws(InferenceError) -> (any Kernel)? {
    let node = subgraph.nodes[index]
    let nodeOperator = try deferredOperator(index)
    if let sessionOperator = nodeOperator as? any SessionOperator {
      try evaluate(sessionOperator, index)
      return nil
    }
    try session.budget.work(NodeWork.preparationWork)
    let prepared = try preparation(of: nodeOperator, index)
    let outputs = try allocate(prepared, of: node)
    do throws(KernelError) {
      try preparer.evaluate(prepared, node, outputs: outputs, table)
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
    let nodeOperator = try deferredOperator(index)
    return nodeOperator is any SessionOperator ? nil : try preparation(of: nodeOperator, index)
  }

  /// The node's operator, the same in every run, as one may go on where it ended.
  private func deferredOperator(_ index: Int) throws(InferenceError) -> any Operator {
    if let known = operators[index] { return known }
    let made = try session.options.customOperators.makeOperator(for: subgraph.nodes[index])
    operators[index] = made
    return made
  }

  /// How the node is computed: as the last time, where the types of its inputs decide and are the
  /// same.
  private func preparation(
    of nodeOperator: any Operator, _ index: Int
  ) throws(InferenceError) -> Prepared {
    let types = subgraph.nodes[index].inputs.map { $0 < 0 ? nil : table.types[$0] }
    switch preparations[index] {
    case .fromTypes(let known, let prepared) where known == types: return prepared
    case .fromValues: return try prepare(nodeOperator, index, showsValues: true)
    case .fromTypes, nil: break
    }
    do throws(InferenceError) {
      let prepared = try prepare(nodeOperator, index, showsValues: false)
      preparations[index] = .fromTypes(types, prepared)
      return prepared
    } catch {
      guard case .kernel(let reason) = error.reason, case .valueNeeded = reason.kind else {
        throw error
      }
      preparations[index] = .fromValues
      return try prepare(nodeOperator, index, showsValues: true)
    }
  }

  private func prepare(
    _ nodeOperator: any Operator, _ index: Int, showsValues: Bool
  ) throws(InferenceError) -> Prepared {
    let node = subgraph.nodes[index]
    let context = try preparer.context(for: node, table, showsValues: showsValues)
    do throws(KernelError) {
      for (position, tensor) in node.inputs.enumerated() where tensor >= 0 {
        _ = try value(of: tensor, position)
      }
      guard let context else { throw KernelError.invalid("a type is not known") }
      return preparer.optimized(try preparer.prepare(node, nodeOperator, context), context)
    } catch {
      throw failure(error, index)
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
    _ sessionOperator: any SessionOperator, _ index: Int
  ) throws(InferenceError) {
    let node = subgraph.nodes[index]
    let outputs: [TensorValue]
    try session.budget.work(NodeWork.callWork + table.byteCount(of: node.inputs))
    do throws(KernelError) {
      var inputs: [TensorValue?] = []
      for (position, tensor) in node.inputs.enumerated() {
        inputs.append(tensor < 0 ? nil : try value(of: tensor, position))
      }
      outputs = try sessionOperator.run(
        SessionNode(
          inputs: inputs, declaredOutputs: node.outputs.map { subgraph.tensors[$0].type }),
        in: session)
    } catch {
      throw session.takeCalleeError() ?? failure(error, index)
    }
    guard outputs.count == node.outputs.count else {
      throw InferenceError(
        .invalidGraph("\(node.outputs.count) outputs, wanted \(outputs.count)"))
    }
    for (position, (tensor, value)) in zip(node.outputs, outputs).enumerated() {
      let declared = subgraph.tensors[tensor].type
      guard value.type.elementType == declared.elementType else {
        throw InferenceError(
          .invalidGraph(
            "is \(value.type.elementType.schemaName), declared as \(declared.elementType.schemaName)"
          ),
          path: [.output(position), .tensor(tensor, name: subgraph.tensors[tensor].name)])
      }
      table.types[tensor] = TensorType(
        declared.elementType, value.type.shape, quantization: declared.quantization)
      try take(value.bytes.byteCount, for: tensor)
      // Where a subgraph left its results, its next run leaves others.
      table.bytes[tensor] = value.copied().bytes
    }
  }

  /// Gives the outputs of a deferred node memory, or a copy of the input which they repeat.
  private func allocate(
    _ prepared: Prepared, of node: ModelFile.Node
  ) throws(InferenceError) -> [TensorBytes] {
    try preparer.setTypes(prepared, of: node, in: &table)
    let work = table.work(of: node, isOptimized: false)
    try session.budget.work(work)
    try session.checkTime(for: work)
    var outputs: [TensorBytes] = []
    for (position, tensor) in node.outputs.enumerated() {
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
