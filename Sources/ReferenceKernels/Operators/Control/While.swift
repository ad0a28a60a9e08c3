// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  /// `WHILE`.
  static let `while` = CatalogEntry(
    .while, chapter: .control,
    formula: """
      state = inputs
      while condition(state) { state = body(state) }
      outputs = state
      """,
    versions: .upTo(1),
    variants: "f32 i32 i64 grow multi_state nested gru", optimized: "",
    work: .nothing, reads: .everything,
    session: { node throws(KernelError) in While(options: try node.options()) })
}

/// `WHILE`: repeats a subgraph as long as another says so.
///
/// The condition's only output is one bool. The body has as many outputs as inputs; their shapes
/// may change from one round to the next.
///
/// An oddity: where no shape changes, TFLite copies the body's outputs over its inputs one by one.
/// An input that the body passes on as a *later* output is overwritten before it is copied: with
/// `(x, y) = (x + y, x)`, `y` becomes `x + y`. The condition still sees the outputs as they were.
/// Models give such results wherever TFLite runs, so they do here. TFLite: `while.cc`.
struct While: SessionOperator {
  let options: WhileOptions

  var calledSubgraphs: [Int] { [Int(options.condition), Int(options.body)] }

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    var state = try node.arguments()
    guard node.declaredOutputs.count == state.count else {
      throw .invalid("\(node.declaredOutputs.count) outputs, wanted \(state.count)")
    }
    let (condition, body) = (Int(options.condition), Int(options.body))
    guard session.outputCount(ofSubgraph: condition) == 1 else {
      throw .invalid("subgraph \(condition) is no condition: it must have one output")
    }
    guard session.outputCount(ofSubgraph: body) == state.count else {
      throw .invalid("subgraph \(body) is no body: it must have \(state.count) outputs")
    }
    let passedOn = session.inputsPassedOn(bySubgraph: body)
    var conditionState = state
    while true {
      let next: [TensorValue]
      switch try session.runLoop(condition, body, from: (conditionState, state)) {
      case .ended(let state): return state
      case .left(let results): next = results
      case nil:
        let answer = try session.call(condition, conditionState)[0]
        guard try answer.scalar(as: BoolByte.self, .output(0)).value else { return state }
        next = try session.call(body, state)
      }
      for (position, value) in next.enumerated()
      where value.type.elementType != state[position].type.elementType {
        throw .elementType(value.type.elementType, .output(position))
      }
      // The body's results lie where its next run will put others.
      conditionState = next.map { session.lasting($0) }
      let changesShape = zip(conditionState, state).contains { $0.type.shape != $1.type.shape }
      state = changesShape ? conditionState : Self.overwritten(conditionState, passedOn)
    }
  }

  /// The outputs copied one by one over the inputs, some of which are outputs themselves.
  private static func overwritten(
    _ outputs: [TensorValue], _ passedOn: [Int?]
  ) -> [TensorValue] {
    var inputs = outputs
    for (position, source) in passedOn.enumerated() {
      if let source, source < position { inputs[position] = inputs[source] }
    }
    return inputs
  }
}
