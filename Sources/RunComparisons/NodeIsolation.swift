// SPDX-License-Identifier: Apache-2.0

internal import Martlet
internal import ModelFormat
internal import Npy
internal import ReferenceKernels
internal import Tensors
internal import Traces

/// A node at one time of a run.
struct NodeLocation: Hashable {
  let subgraph: Int
  let invocation: Int
  let node: Int
}

/// Computes nodes of a model by themselves, on inputs from a recorded run.
final class NodeIsolation {
  /// What is known about the inputs of a node.
  enum Inputs {
    /// Values by position; nil where the evaluator has them.
    case known([TensorValue?])
    /// One is not known, for this reason.
    case missing(String)
  }

  private let interpreter: Interpreter
  private let recorded: RecordedTensors
  private let evaluator: NodeEvaluator
  /// The shapes that subgraphs were called with last.
  private var shapes: [Int: [Int: Shape]] = [:]

  /// Isolation of the nodes that `interpreter` computes.
  init(_ interpreter: Interpreter, _ recorded: RecordedTensors) {
    self.interpreter = interpreter
    self.recorded = recorded
    evaluator = NodeEvaluator(interpreter.model, options: interpreter.options)
  }

  /// Makes a subgraph ready that is about to run.
  func prepare(_ record: SubgraphRecord) throws(InferenceError) {
    let shapes = Dictionary(
      record.inputs.map { ($0.tensor, $0.type.shape) }, uniquingKeysWith: { first, _ in first })
    self.shapes[record.subgraph] = shapes
    try evaluator.prepare(record.subgraph, inputShapes: shapes)
  }

  /// The inputs of a node: recorded ones where there are any, else those of the run, if its tensors
  /// are kept.
  func inputs(of location: NodeLocation) throws(ComparisonError) -> Inputs {
    let subgraph = interpreter.model.file.subgraphs[location.subgraph]
    var values: [TensorValue?] = []
    for (position, tensor) in subgraph.nodes[location.node].inputs.enumerated() {
      guard tensor >= 0, !keepsItsOwn(subgraph.tensors[tensor]) else {
        if tensor >= 0, subgraph.tensors[tensor].type.elementType == .variant,
          !evaluator.hasValue(tensor, of: location.subgraph)
        {
          return .missing("not computed alone: the list at input \(position) is a loop's")
        }
        values.append(nil)
        continue
      }
      let input = TensorLocation(
        subgraph: location.subgraph, invocation: location.invocation, tensor: tensor)
      // Another shape is nothing that the node is made for.
      if let value = try recordedValue(input), value.type.shape == shape(input) {
        values.append(value)
      } else if let own = ownValue(input) {
        values.append(own)
      } else if isComputed(tensor, in: subgraph) {
        return .missing("not computed alone: nothing recorded for input \(position)")
      } else {
        values.append(nil)
      }
    }
    return .known(values)
  }

  private func recordedValue(_ location: TensorLocation) throws(ComparisonError) -> TensorValue? {
    do throws(NpzFileError) { return try recorded.value(formedFor: location) } catch {
      throw .file(error)
    }
  }

  private func shape(_ location: TensorLocation) -> Shape? {
    interpreter.table(ofSubgraph: location.subgraph)?.types[location.tensor]?.shape
  }

  /// What the run itself has there, where all its tensors stay.
  private func ownValue(_ location: TensorLocation) -> TensorValue? {
    guard interpreter.options.keepsAllTensors,
      let table = interpreter.table(ofSubgraph: location.subgraph),
      let type = table.types[location.tensor],
      let bytes = table.bytes[location.tensor]
    else { return nil }
    return TensorValue(type, bytes)
  }

  /// Whether the evaluator knows the values: constants, variables, handles.
  private func keepsItsOwn(_ tensor: ModelFile.Tensor) -> Bool {
    switch tensor.type.elementType {
    case .resource, .variant: true
    case _: tensor.isVariable || interpreter.model.file.values(of: tensor) != nil
    }
  }

  private func isComputed(_ tensor: Int, in subgraph: ModelFile.Subgraph) -> Bool {
    subgraph.inputs.contains(tensor) || subgraph.nodes.contains { $0.outputs.contains(tensor) }
  }

  /// The outputs of a node on these inputs, by tensor; without handles.
  func outputs(
    of location: NodeLocation, _ inputs: [TensorValue?]
  ) throws(InferenceError) -> [Int: TypedArray] {
    try outputs(of: location, inputs, by: evaluator)
  }

  /// Whether another evaluator gets the same outputs from the same inputs.
  func confirms(
    _ outputs: [Int: TypedArray], of location: NodeLocation, _ inputs: [TensorValue?]
  ) -> Bool {
    let other = NodeEvaluator(interpreter.model, options: interpreter.options)
    do throws(InferenceError) {
      try other.prepare(location.subgraph, inputShapes: shapes[location.subgraph] ?? [:])
      let again = try self.outputs(of: location, inputs, by: other)
      return again.mapValues(\.array) == outputs.mapValues(\.array)
    } catch {
      return false
    }
  }

  private func outputs(
    of location: NodeLocation, _ inputs: [TensorValue?], by evaluator: NodeEvaluator
  ) throws(InferenceError) -> [Int: TypedArray] {
    let values = try evaluator.evaluate(location.node, of: location.subgraph, inputs: inputs)
    let tensors = interpreter.model.file.subgraphs[location.subgraph].nodes[location.node].outputs
    var outputs: [Int: TypedArray] = [:]
    for (tensor, value) in zip(tensors, values) {
      guard let array = try? NpyArray(value.type, tensorBytes: value.bytes.array()) else {
        continue
      }
      outputs[tensor] = TypedArray(type: value.type, array: array)
    }
    return outputs
  }
}
