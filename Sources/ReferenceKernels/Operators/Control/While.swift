// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// `WHILE`: repeats a subgraph as long as another says so.
///
///     state = inputs
///     while condition(state) { state = body(state) }
///     outputs = state
///
/// The condition's only output is one bool. The body has as many outputs as inputs; their shapes
/// may change from one round to the next.
///
/// TFLite copies outputs over inputs one by one where no shape changes, so that an input which the
/// body passes on as a later output, such as `x` in `(x, y) = (x + y, x)`, is overwritten before it
/// is copied: there `y` becomes `x + y`. Here the state moves on as a whole. TFLite: `while.cc`.
struct While: SessionOperator {
  let options: WhileOptions

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
    while try session.call(condition, state)[0].scalar(as: BoolByte.self, .output(0))
      .value
    {
      let next = try session.call(body, state)
      for (position, value) in next.enumerated()
      where value.type.elementType != state[position].type.elementType {
        throw .elementType(value.type.elementType, .output(position))
      }
      // The body's results lie where its next run will put others.
      state = next.map { $0.copied() }
    }
    return state
  }
}

extension CatalogEntry {
  /// `WHILE`.
  static let `while` = CatalogEntry(
    .while, variants: "f32 i32 i64 grow multi_state nested gru"
  ) { node throws(KernelError) in While(options: try node.options()) }
}
