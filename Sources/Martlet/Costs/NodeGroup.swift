// SPDX-License-Identifier: Apache-2.0

package import ModelFormat

/// Nodes that one kernel computes together: a node, or several of which only the last one's results
/// are ever written.
package struct NodeGroup: Sendable {
  /// The nodes in order.
  package let nodes: [ModelFile.Node]

  /// The group of these nodes.
  package init(_ nodes: [ModelFile.Node]) { self.nodes = nodes }

  /// Tensors that lie between the nodes.
  package var between: Set<Int> { Set(nodes.dropLast().flatMap(\.outputs)) }

  /// What the group reads, by the order of nodes; -1 for an absent operand.
  package var inputs: [Int] {
    let between = between
    return nodes.flatMap(\.inputs).filter { !between.contains($0) }
  }

  /// What the group writes.
  package var outputs: [Int] { nodes.last?.outputs ?? [] }
}
