// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
package import Tensors

/// What the cost of a node follows from: its options and the types of its tensors, as far as they
/// are known.
package struct OperandTypes {
  /// The options of the node.
  package let description: NodeDescription
  /// The tensors that the node reads and writes; negative where an optional one is absent.
  private let inputs, outputs: [Int]
  private let type: (Int) -> TensorType?

  /// A node with these options and tensors, of which `type` tells the types that are known.
  package init(
    _ description: NodeDescription, inputs: [Int], outputs: [Int],
    type: @escaping (Int) -> TensorType?
  ) {
    self.description = description
    (self.inputs, self.outputs) = (inputs, outputs)
    self.type = type
  }

  /// How many inputs there are, with those that are absent.
  package var inputCount: Int { inputs.count }
  /// How many outputs there are.
  package var outputCount: Int { outputs.count }

  /// The type of an input; nil where it is absent or unknown.
  package func input(_ position: Int) -> TensorType? {
    hasInput(position) ? type(inputs[position]) : nil
  }

  /// The type of an output; nil where it is unknown.
  package func output(_ position: Int) -> TensorType? {
    outputs.indices.contains(position) && outputs[position] >= 0 ? type(outputs[position]) : nil
  }

  /// Whether the node has an input at `position`, as optional ones may be left out.
  package func hasInput(_ position: Int) -> Bool {
    inputs.indices.contains(position) && inputs[position] >= 0
  }

  /// The options; nil where the model has none, or those of another operator.
  package func options<Options: OptionsTable>(_ type: Options.Type) -> Options? {
    description.hasOptions ? try? description.options(type) : nil
  }

  /// The dimensions of an input that must have `rank` axes; nil where it has others.
  package func dimensions(ofInput position: Int, rank: Int) -> [Int]? {
    guard let shape = input(position)?.shape, shape.rank == rank else { return nil }
    return shape.dimensions
  }
}
