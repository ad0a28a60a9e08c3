// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// Prepares single nodes, while a graph is planned as well as in a run: nobody else asks operators.
struct NodePreparer {
  let subgraph: ModelFile.Subgraph
  let model: Model
  let settings: ExecutionPlan.Settings
  /// What the subgraphs of the run share; it lasts longer than any of them.
  unowned let session: Session
  /// The run that the nodes are prepared for or in.
  let progress: RunProgress

  /// What the node's operator may see; nil while the type of an input is unknown.
  ///
  /// That is the values of constants and, in a run, of the inputs whose positions are `shown`.
  func context(
    for node: ModelFile.Node, _ table: TensorTable, shown: [Int] = []
  ) throws(InferenceError) -> PrepareContext? {
    var operands: [PrepareContext.Operand?] = []
    operands.reserveCapacity(node.inputs.count)
    for (position, tensor) in node.inputs.enumerated() {
      guard tensor >= 0 else {
        operands.append(nil)
        continue
      }
      guard table.sources[tensor] != .undefined else { throw undefinedInput(tensor, at: position) }
      guard let type = table.types[tensor] else { return nil }
      if let excess = type.emptyExcess(over: settings.limits.tensorByteCount) {
        throw InferenceError(excess, path: path(.input(position), tensor))
      }
      operands.append(
        table.operand(tensor, type, subgraph.tensors[tensor], showsValue: shown.contains(position)))
    }
    return PrepareContext(
      inputs: operands, declaredOutputs: node.outputs.map { subgraph.tensors[$0].type },
      intermediates: node.intermediates.map { $0 < 0 ? nil : subgraph.tensors[$0].type },
      rounding: settings.rounding,
      productsRoundUp: settings.rounding == .double && model.isBeyondReference,
      valueByteLimit: max(settings.limits.arenaByteCount, 1 << 16) / Self.valueMultiple,
      subgraphOperators: model.subgraphOperators)
  }

  /// How many times the memory of values operators take that ask for them.
  private static let valueMultiple = 16

  /// - Throws: `InferenceError` where the run shall not go on.
  func checkProgress() throws(InferenceError) { try progress.check(settings.limits.duration) }

  /// The error of a node that reads a tensor without a value.
  func undefinedInput(_ tensor: Int, at input: Int) -> InferenceError {
    InferenceError(
      .invalidGraph("is read before anything has given it a value"),
      path: path(.input(input), tensor))
  }

  /// The kernel of a node, and the types of its outputs.
  ///
  /// - Throws: `KernelError` as the operator does, and where it does not give each output a type.
  func prepare(
    _ node: ModelFile.Node, _ nodeOperator: any Operator, _ context: PrepareContext
  ) throws(KernelError) -> Prepared {
    let prepared = try nodeOperator.prepare(context)
    guard prepared.outputs.count == node.outputs.count else {
      throw .invalid("\(node.outputs.count) outputs, wanted \(prepared.outputs.count)")
    }
    return prepared
  }

  /// The same with the kernel set's optimized kernel, where it has one.
  func optimized(_ prepared: Prepared, _ context: PrepareContext) -> Prepared {
    settings.kernels.applied(to: prepared, of: context, weights: model.weights)
  }

  /// Notes the types of a node's outputs.
  ///
  /// - Throws: `InferenceError` for outputs or a node beyond the limits.
  func setTypes(
    _ prepared: Prepared, of node: ModelFile.Node, in table: inout TensorTable
  ) throws(InferenceError) {
    for (position, (tensor, type)) in zip(node.outputs, prepared.outputs).enumerated() {
      table.types[tensor] = type
      // Bytes that repeat an input's have been measured as that.
      guard prepared.repeatedInput == nil || type.byteCount != nil else { continue }
      let limit =
        type.elementType == .string
        ? settings.limits.stringByteCount : settings.limits.tensorByteCount
      if let excess = type.excess(of: prepared.byteCount(ofOutput: position), over: limit) {
        throw InferenceError(excess, path: path(.output(position), tensor))
      }
    }
    if let tensor = node.outputs.first { table.operationCounts[tensor] = prepared.operationCount }
    try table.checkWork(of: node, limit: settings.limits.nodeOperationCount)
  }

  /// What an operator gives that runs as part of a session and reads nothing.
  ///
  /// - Throws: `InferenceError` as a run does.
  func values(
    of made: any SessionOperator, _ node: ModelFile.Node
  ) throws(InferenceError) -> [TensorValue] {
    do throws(KernelError) {
      return try made.values(
        SessionNode(
          inputs: [], declaredOutputs: node.outputs.map { subgraph.tensors[$0].type }),
        in: session)
    } catch {
      throw failure(error, node)
    }
  }

  /// Evaluates a node at once, in memory of its own for its scratch.
  ///
  /// - Throws: `KernelError` as the kernel does.
  func evaluate(
    _ prepared: Prepared, _ node: ModelFile.Node, outputs: [TensorBytes], _ table: TensorTable
  ) throws(KernelError) {
    try prepared.kernel.evaluate(
      TensorFrame(
        inputs: node.inputs.map { $0 < 0 ? nil : table.bytes[$0] }, outputs: outputs,
        scratch: prepared.scratch.map(TensorBytes.init(zeroed:)), progress: progress))
  }

  /// The way to a tensor of a node.
  func path(_ step: ModelError.Step, _ tensor: Int) -> [ModelError.Step] {
    [step, .tensor(tensor, name: subgraph.tensors[tensor].name)]
  }

  /// The error that a kernel's error is to the caller, with the tensor that it is about.
  func failure(_ error: KernelError, _ node: ModelFile.Node) -> InferenceError {
    let (step, tensor): (ModelError.Step, Int?)
    switch error.tensor {
    case .input(let position):
      (step, tensor) = (
        .input(position), node.inputs.indices.contains(position) ? node.inputs[position] : nil
      )
    case .output(let position):
      (step, tensor) = (
        .output(position), node.outputs.indices.contains(position) ? node.outputs[position] : nil
      )
    case nil: return InferenceError(.kernel(error))
    }
    guard let tensor, subgraph.tensors.indices.contains(tensor) else {
      return InferenceError(.kernel(error), path: [step])
    }
    return InferenceError(.kernel(error), path: path(step, tensor))
  }
}

extension Prepared {
  /// The bytes of an output; nil where its element type has no fixed size and none was given.
  func byteCount(ofOutput position: Int) -> Int? {
    outputs[position].byteCount
      ?? (outputByteCounts.indices.contains(position) ? outputByteCounts[position] : nil)
  }
}

extension SessionOperator {
  /// What it gives, as many outputs as the node has, and of the declared element types.
  ///
  /// - Throws: `KernelError` as `run` does, and where it gives something else.
  func values(
    _ node: SessionNode, in session: Session
  ) throws(KernelError) -> [TensorValue] {
    let values = try run(node, in: session)
    guard values.count == node.declaredOutputs.count else {
      throw .invalid("\(node.declaredOutputs.count) outputs, wanted \(values.count)")
    }
    for (position, value) in values.enumerated() {
      let (given, wanted) = (value.type.elementType, node.declaredOutputs[position].elementType)
      guard given == wanted else {
        throw .invalid(
          "is \(given.schemaName), declared as \(wanted.schemaName)", .output(position))
      }
    }
    return values
  }
}
