// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors

extension Interpreter {
  /// Runs the model on the current inputs.
  ///
  /// - Throws: `InferenceError` where a node fails on these values, and after `cancel()`.
  public func invoke() throws(InferenceError) {
    cancellation.clear()
    try runPlan()
  }

  /// Runs the model on the current inputs, on a thread of its own.
  ///
  /// Cancelling the task stops the run before its next node.
  ///
  /// - Throws: `InferenceError` where a node fails on these values, and when it is cancelled.
  public func invoke() async throws {
    cancellation.clear()
    // The caller waits, so only one thread uses the interpreter at a time.
    nonisolated(unsafe) let interpreter = self
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        BackgroundWork.run {
          done.resume(with: Result { unsafe try interpreter.runPlan() })
        }
      }
    } onCancel: { [cancellation] in
      cancellation.set()
    }
  }

  private func runPlan() throws(InferenceError) {
    try prepare()
    guard let plan else { return }
    hasRun = false
    try team.region { () throws(InferenceError) in
      for step in plan.steps {
        try cancellation.check()
        do throws(InferenceError) {
          try run(step)
        } catch {
          let name = subgraph.nodes[step.node].identity.name
          throw error.within(.operator(step.node, name: name)).within(.subgraph(subgraphIndex))
        }
      }
    }
    hasRun = true
  }

  /// Makes a run in progress stop before its next node, which then throws; any thread may call it.
  public func cancel() { cancellation.set() }

  private func run(_ step: PlanStep) throws(InferenceError) {
    guard !observers.isEmpty else {
      _ = try evaluate(step)
      return
    }
    let clock = ContinuousClock()
    let start = clock.now
    let kernel = try evaluate(step)
    tellObservers(of: step, kernel: kernel, duration: clock.now - start)
  }

  private func evaluate(_ step: PlanStep) throws(InferenceError) -> (any Kernel)? {
    switch step {
    case .folded, .shared:
      return nil
    case .ready(let ready):
      do throws(KernelError) {
        try evaluate(ready)
      } catch {
        throw failure(error, ready.node)
      }
      return ready.kernel
    case .deferred(let node):
      return try evaluateDeferred(node)
    }
  }

  /// Evaluates a prepared node, by the whole team where its kernel falls into blocks.
  private func evaluate(_ step: ReadyStep) throws(KernelError) {
    guard team.workerCount > 1, let kernel = step.blockKernel else {
      return try step.kernel.evaluate(step.frame)
    }
    let workerCount = team.workerCount
    let blockCount = kernel.blockCount(workerCount: workerCount)
    guard blockCount > 1 else { return try kernel.evaluate(step.frame) }
    kernel.begin(step.frame)
    team.perform(blockCount: blockCount) { next in
      kernel.compute(step.frame, workerCount: workerCount, next: next)
    }
  }

  /// Prepares a node with the values that the run has computed, gives its outputs memory, and
  /// evaluates it.
  private func evaluateDeferred(_ index: Int) throws(InferenceError) -> any Kernel {
    let node = subgraph.nodes[index]
    let prepared: Prepared
    let nodeOperator = try options.customOperators.makeOperator(for: node)
    do throws(KernelError) {
      let context = try context(for: node)
      let reference = try nodeOperator.prepare(context)
      prepared = options.kernels.applied(to: reference, of: context, weights: model.weights)
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
        guard let wanted, wanted <= options.memoryLimit else {
          throw InferenceError(
            .memoryLimit(needed: wanted, limit: options.memoryLimit),
            path: [.output(position), .tensor(tensor, name: subgraph.tensors[tensor].name)])
        }
        bytes = TensorBytes(zeroed: wanted)
      }
      outputs.append(bytes)
      table?.types[tensor] = type
      table?.bytes[tensor] = bytes
    }
    return outputs
  }

  /// What an operator sees during a run: every input's type and value.
  private func context(for node: ModelFile.Node) throws(KernelError) -> PrepareContext {
    var operands: [PrepareContext.Operand?] = []
    for (position, tensor) in node.inputs.enumerated() {
      guard tensor >= 0 else {
        operands.append(nil)
        continue
      }
      guard let table, let type = table.types[tensor], let bytes = table.bytes[tensor] else {
        throw .invalid("has no value", .input(position))
      }
      var operand = PrepareContext.Operand(
        type, bytes: bytes, isConstant: table.sources[tensor] == .constant,
        isVariable: table.sources[tensor] == .variable)
      operand.blockScales = table.blockScales(of: subgraph.tensors[tensor])
      operands.append(operand)
    }
    return PrepareContext(
      inputs: operands, declaredOutputs: node.outputs.map { subgraph.tensors[$0].type },
      intermediates: node.intermediates.map { $0 < 0 ? nil : subgraph.tensors[$0].type },
      rounding: options.rounding)
  }

  private func failure(_ error: KernelError, _ node: Int) -> InferenceError {
    InferenceError(.kernel(error), path: subgraph.path(of: error, in: subgraph.nodes[node]))
  }

  private func tellObservers(of step: PlanStep, kernel: (any Kernel)?, duration: Duration) {
    guard let table else { return }
    let node = subgraph.nodes[step.node]
    let record = NodeRecord(
      subgraph: subgraphIndex, node: step.node, operatorName: node.identity.name,
      kernelName: kernel.map { "\(type(of: $0))" }, duration: duration,
      outputs: node.outputs.compactMap { tensor in
        guard let type = table.types[tensor], let bytes = table.bytes[tensor] else { return nil }
        return (tensor, type, bytes)
      })
    for observer in observers { observer.didEvaluate(record) }
  }
}
