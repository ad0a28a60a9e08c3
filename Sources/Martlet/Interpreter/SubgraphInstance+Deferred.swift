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
    let prepared: Prepared
    do throws(KernelError) {
      prepared = try preparation(of: nodeOperator, index)
    } catch {
      throw failure(error, index)
    }
    guard prepared.outputs.count == node.outputs.count else {
      throw InferenceError(
        .invalidGraph("\(node.outputs.count) outputs, wanted \(prepared.outputs.count)"))
    }
    let outputs = try place(prepared, of: node)
    let frame = TensorFrame(
      inputs: node.inputs.map { $0 < 0 ? nil : table?.bytes[$0] }, outputs: outputs,
      scratch: prepared.scratch.map(TensorBytes.init(zeroed:)))
    do throws(KernelError) {
      try prepared.kernel.evaluate(frame)
    } catch {
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
    if nodeOperator is any SessionOperator { return nil }
    do throws(KernelError) {
      return try preparation(of: nodeOperator, index)
    } catch {
      throw failure(error, index)
    }
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
  ) throws(KernelError) -> Prepared {
    let node = subgraph.nodes[index]
    let types = node.inputs.map { $0 < 0 ? nil : table?.types[$0] }
    switch preparations[index] {
    case .fromTypes(let known, let prepared) where known == types: return prepared
    case .fromValues: return try prepare(nodeOperator, try context(for: node, showsValues: true))
    case .fromTypes, nil: break
    }
    do throws(KernelError) {
      let prepared = try prepare(nodeOperator, try context(for: node, showsValues: false))
      preparations[index] = .fromTypes(types, prepared)
      return prepared
    } catch {
      guard case .valueNeeded = error.kind else { throw error }
      preparations[index] = .fromValues
      return try prepare(nodeOperator, try context(for: node, showsValues: true))
    }
  }

  private func prepare(
    _ nodeOperator: any Operator, _ context: PrepareContext
  ) throws(KernelError) -> Prepared {
    session.options.kernels.applied(
      to: try nodeOperator.prepare(context), of: context, weights: session.model.weights)
  }

  /// What an operator sees during a run: every input's type and, if it is to, its value.
  private func context(
    for node: ModelFile.Node, showsValues: Bool
  ) throws(KernelError) -> PrepareContext {
    var operands: [PrepareContext.Operand?] = []
    for (position, tensor) in node.inputs.enumerated() {
      guard tensor >= 0 else {
        operands.append(nil)
        continue
      }
      let value = try value(of: tensor, position)
      if node.identity.code == .densify, let sparsity = subgraph.tensors[tensor].sparsity,
        value.bytes.byteCount != value.type.byteCount
      {
        operands.append(
          PrepareContext.Operand(value.type, bytes: value.bytes, sparsity: sparsity))
        continue
      }
      operands.append(
        table?.operand(tensor, subgraph.tensors[tensor], showsValue: showsValues))
    }
    return PrepareContext(
      node, of: subgraph, in: session.model, operands: operands,
      rounding: session.options.rounding)
  }

  private func value(of tensor: Int, _ position: Int) throws(KernelError) -> TensorValue {
    guard let table, let type = table.types[tensor], let bytes = table.bytes[tensor] else {
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
      table?.types[tensor] = TensorType(
        declared.elementType, value.type.shape, quantization: declared.quantization)
      // Where a subgraph left its results, its next run leaves others.
      table?.bytes[tensor] = value.copied().bytes
    }
  }

  /// Gives the outputs of a deferred node memory, or that of the input which they repeat.
  private func place(
    _ prepared: Prepared, of node: ModelFile.Node
  ) throws(InferenceError) -> [TensorBytes] {
    var outputs: [TensorBytes] = []
    for (position, type) in prepared.outputs.enumerated() {
      let tensor = node.outputs[position]
      let bytes: TensorBytes
      if let input = prepared.repeatedInput, let repeated = table?.bytes[node.inputs[input]] {
        bytes = TensorBytes(copying: repeated.span(as: UInt8.self))
      } else {
        let wanted =
          type.byteCount
          ?? (prepared.outputByteCounts.indices.contains(position)
            ? prepared.outputByteCounts[position] : nil)
        let limit =
          type.elementType == .string
          ? session.limits.stringByteCount : session.limits.tensorByteCount
        if let excess = type.excess(of: wanted, over: limit) {
          throw InferenceError(
            excess,
            path: [.output(position), .tensor(tensor, name: subgraph.tensors[tensor].name)])
        }
        bytes = TensorBytes(zeroed: wanted ?? 0)
      }
      outputs.append(bytes)
      table?.types[tensor] = type
      table?.bytes[tensor] = bytes
    }
    try table?.checkWork(of: node, limit: session.limits.nodeOperationCount)
    return outputs
  }
}
