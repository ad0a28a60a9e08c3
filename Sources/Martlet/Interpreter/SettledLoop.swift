// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A loop whose subgraphs are planned, with what moves between their runs.
///
/// Results are copied from where the body leaves them to where it and the condition read them next.
/// To pass values from run to run takes several times as long as a small round.
@safe
final class SettledLoop {
  let condition: SubgraphInstance
  let body: SubgraphInstance
  private let conditionPlan: ExecutionPlan
  private let bodyPlan: ExecutionPlan
  /// Where the condition's plan has its answer.
  @unsafe
  private let answer: UnsafeRawPointer
  /// In this order: what the condition reads, then what the body does; nil where values cannot be
  /// moved, as their types change or a run decides where they lie.
  private let moves: [Move]?
  /// Bytes that are passed to each run.
  let passedByteCount: Int

  /// Bytes that are copied; the plans keep both places.
  @safe
  private struct Move {
    private let source: UnsafeRawPointer
    private let target: UnsafeMutableRawPointer
    private let byteCount: Int

    init(_ source: TensorBytes, _ target: TensorBytes) {
      unsafe self.source = UnsafeRawPointer(source.address)
      unsafe (self.target, byteCount) = (target.address, target.byteCount)
    }

    func perform() { unsafe target.copyMemory(from: source, byteCount: byteCount) }
  }

  /// The loop; nil where a subgraph is not planned, or the condition's answer does not lie where its
  /// plan has it.
  ///
  /// The condition must have one output.
  init?(_ condition: SubgraphInstance, _ body: SubgraphInstance) {
    guard condition !== body, condition.wasCalled, body.wasCalled, condition.isSettled,
      body.isSettled, let conditionPlan = condition.plan, let bodyPlan = body.plan,
      let answer = condition.settledOutput(0), answer.type.elementType == .bool,
      answer.type.shape.elementCount == 1, answer.bytes.byteCount == 1
    else { return nil }
    (self.condition, self.conditionPlan) = (condition, conditionPlan)
    (self.body, self.bodyPlan) = (body, bodyPlan)
    unsafe self.answer = UnsafeRawPointer(answer.bytes.address)
    moves = Self.moves(condition, body)
    passedByteCount = body.subgraph.inputs.indices.reduce(0) { count, position in
      guard case .settable(let value)? = body.settledInput(position) else { return count }
      return count + value.bytes.byteCount
    }
  }

  /// The body's results, moved to the condition and over the body's own inputs.
  ///
  /// One comes after the other, so that an input that is a later output is overwritten before it is
  /// copied, as in `While`. Other results do not lie where inputs do (`MemorySharing`).
  private static func moves(_ condition: SubgraphInstance, _ body: SubgraphInstance) -> [Move]? {
    let count = body.subgraph.inputs.count
    guard condition.subgraph.inputs.count == count, body.subgraph.outputs.count == count,
      Set(body.subgraph.inputs).count == count, Set(condition.subgraph.inputs).count == count
    else { return nil }
    let conditionReads = condition.readTensors
    var (toCondition, toBody) = ([Move](), [Move]())
    for position in 0..<count {
      guard let result = body.settledOutput(position),
        let input = body.settledInput(position), input.takes(result),
        let shown = condition.settledInput(position), shown.takes(result)
      else { return nil }
      if case .settable(let value) = shown,
        conditionReads.contains(condition.subgraph.inputs[position])
      {
        toCondition.append(Move(result.bytes, value.bytes))
      }
      if case .settable(let value) = input, !value.bytes.isSame(as: result.bytes) {
        toBody.append(Move(result.bytes, value.bytes))
      }
    }
    return toCondition + toBody
  }

  /// Whether the subgraphs still go by the plans, and may run by them.
  var isReady: Bool {
    isSettled(condition, conditionPlan) && isSettled(body, bodyPlan)
      && conditionPlan.fusesNodes == condition.session.fusesNodes
      && bodyPlan.fusesNodes == body.session.fusesNodes
      && !condition.isRunning && !body.isRunning
  }

  private func isSettled(_ subgraph: SubgraphInstance, _ plan: ExecutionPlan) -> Bool {
    subgraph.plan === plan && subgraph.isSettled
  }

  /// The values that the body gets, which stay as they are until it runs.
  var state: [TensorValue] { body.settledArguments }

  /// Runs the condition, and says whether the loop goes on.
  func runCondition() throws(InferenceError) -> Bool {
    try condition.run(by: conditionPlan)
    if isSettled(condition, conditionPlan) {
      return unsafe answer.load(as: BoolByte.self).value
    }
    guard let answer = try condition.results().first else { return false }
    do throws(KernelError) { return try answer.scalar(as: BoolByte.self, .output(0)).value } catch {
      throw InferenceError(.kernel(error), path: [.subgraph(condition.index)])
    }
  }

  /// Runs the body; its results where it has not left them in their places.
  func runBody() throws(InferenceError) -> [TensorValue]? {
    try body.run(by: bodyPlan)
    return isSettled(body, bodyPlan) ? nil : try body.results()
  }

  /// Gives the subgraphs the values that the loop begins with; false where they take others.
  func begin(condition values: [TensorValue], body others: [TensorValue]) -> Bool {
    moves != nil && condition.takesSettled(values) && body.takesSettled(others)
      && condition.setSettled(values) && body.setSettled(others)
  }

  /// Gives the subgraphs the results of the body's latest run.
  func moveOn() {
    for move in moves ?? [] { move.perform() }
  }
}

/// An input of a subgraph that goes by its plan.
private enum SettledInput {
  /// It lies here, and may be set.
  case settable(TensorValue)
  /// It is always this part of the model.
  case fixed(TensorValue)

  /// Whether a value can be given to it.
  func takes(_ value: TensorValue) -> Bool {
    switch self {
    case .settable(let known):
      known.type.elementType == value.type.elementType && known.type.shape == value.type.shape
        && known.bytes.byteCount == value.bytes.byteCount
    case .fixed(let known): known.bytes.isSame(as: value.bytes)
    }
  }
}

extension SubgraphInstance {
  /// All tensors that nodes read or that are results.
  fileprivate var readTensors: Set<Int> { Set(subgraph.nodes.flatMap(\.inputs) + subgraph.outputs) }

  /// Where the plan has a result; nil where a run decides it.
  fileprivate func settledOutput(_ position: Int) -> TensorValue? {
    settledValue(subgraph.outputs[position])
  }

  /// Where the plan has an input; nil where calls do not decide it, or its size differs from call to
  /// call.
  fileprivate func settledInput(_ position: Int) -> SettledInput? {
    let tensor = subgraph.inputs[position]
    guard let value = settledValue(tensor), value.type.byteCount == value.bytes.byteCount else {
      return nil
    }
    if table.sources[tensor] == .input { return .settable(value) }
    return fixedInputs.indices.contains(position) && fixedInputs[position] != nil
      ? .fixed(value) : nil
  }

  private func settledValue(_ tensor: Int) -> TensorValue? {
    guard let type = table.types[tensor], let bytes = table.bytes[tensor] else { return nil }
    return TensorValue(type, bytes)
  }

  /// Whether the plan is one for these arguments.
  fileprivate func takesSettled(_ arguments: [TensorValue]) -> Bool {
    arguments.indices.allSatisfy { settledInput($0)?.takes(arguments[$0]) == true }
  }

  /// Sets the inputs that calls decide.
  fileprivate func setSettled(_ arguments: [TensorValue]) -> Bool {
    arguments.indices.allSatisfy { position in
      guard case .settable(let value)? = settledInput(position) else { return true }
      return value.bytes.copy(from: arguments[position].bytes)
    }
  }

  /// The values of the inputs, which stay as they are until the subgraph runs.
  fileprivate var settledArguments: [TensorValue] { subgraph.inputs.compactMap(settledValue) }
}
