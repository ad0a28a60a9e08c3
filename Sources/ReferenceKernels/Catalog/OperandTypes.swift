// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
package import Tensors

/// What the cost of a node follows from: its options and the types of its tensors, as far as they
/// are known.
package struct OperandTypes {
  /// An input that the node has.
  package struct Input: Sendable {
    /// Its type; nil where it is unknown.
    package let type: TensorType?

    /// An input of this type.
    package init(_ type: TensorType?) { self.type = type }
  }

  /// The options of the node.
  package let description: NodeDescription
  /// The inputs in order; nil where an optional one is absent.
  package let inputs: [Input?]
  /// The types of the outputs; nil where one is unknown.
  package let outputs: [TensorType?]

  /// A node with these options and tensors.
  package init(_ description: NodeDescription, inputs: [Input?], outputs: [TensorType?]) {
    self.description = description
    self.inputs = inputs
    self.outputs = outputs
  }

  /// The type of an input; nil where it is absent or unknown.
  package func input(_ position: Int) -> TensorType? {
    inputs.indices.contains(position) ? inputs[position]?.type : nil
  }

  /// The type of an output; nil where it is unknown.
  package func output(_ position: Int) -> TensorType? {
    outputs.indices.contains(position) ? outputs[position] : nil
  }

  /// Whether the node has an input at `position`, as optional ones may be left out.
  package func hasInput(_ position: Int) -> Bool {
    inputs.indices.contains(position) && inputs[position] != nil
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
