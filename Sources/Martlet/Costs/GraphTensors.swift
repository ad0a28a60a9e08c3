// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
package import Tensors

/// The tensors of a subgraph, as far as a node's cost depends on them.
package struct GraphTensors: Sendable {
  /// Where a tensor's values come from.
  package enum Role: Sendable {
    /// The model holds them, or they follow from it.
    case constant
    /// They are kept from run to run.
    case variable
    /// A run brings or computes them.
    case activation
  }

  /// Types by index; nil where only a run decides.
  package let types: [TensorType?]
  /// Roles by index.
  package let roles: [Role]

  /// Tensors of these types and roles, of which there are as many.
  package init(types: [TensorType?], roles: [Role]) {
    precondition(types.count == roles.count, "every tensor has a type and a role")
    self.types = types
    self.roles = roles
  }

  /// Tensors as a plan or a run knows them.
  package init(_ table: TensorTable) {
    self.init(
      types: table.types,
      roles: table.sources.map { source in
        switch source {
        case .constant: .constant
        case .variable: .variable
        case .undefined, .input, .node: .activation
        }
      })
  }

  /// Tensors of these types, all as if a run brought them.
  init(activations types: [TensorType?]) {
    self.init(types: types, roles: Array(repeating: .activation, count: types.count))
  }

  /// Tensors as a file declares them.
  package init(_ subgraph: ModelFile.Subgraph, of file: ModelFile) {
    self.init(
      types: subgraph.tensors.map(\.type),
      roles: subgraph.tensors.map { tensor in
        if tensor.isVariable { return .variable }
        let hasValues =
          file.buffers.indices.contains(tensor.buffer) && !file.buffers[tensor.buffer].isEmpty
        return hasValues ? .constant : .activation
      })
  }

  /// The type of one of a node's tensors; nil where the node has none at `position`.
  func type(_ tensors: [Int], _ position: Int) -> TensorType? {
    guard tensors.indices.contains(position), types.indices.contains(tensors[position]) else {
      return nil
    }
    return types[tensors[position]]
  }
}
