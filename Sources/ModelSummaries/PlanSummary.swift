// SPDX-License-Identifier: Apache-2.0

package import Martlet
internal import ReferenceKernels
internal import Tensors

/// How a planned model will be computed.
package struct PlanSummary: Sendable {
  /// What becomes of a node.
  package enum NodeState: String, Sendable {
    /// Computed while planning: its outputs are constants.
    case folded
    /// Nothing to do: the output shares the input's memory.
    case shared
    /// Fused with a later node; documents say so in another word.
    case fused = "joined"
    /// Prepared, by a reference kernel or an optimized kernel.
    case computed = "ready"
    /// Planned again in every run, since its types depend on values.
    case deferred
  }

  /// A node and its kernel.
  package struct Node: Sendable {
    package let index: Int
    package let state: NodeState
    package let kernel: String?
    package let isOptimized: Bool
    /// The nodes that its kernel computes, itself included; empty where it has none.
    package var members: [Int] = []
    /// The node that it is fused with.
    package var fusedInto: Int?
  }

  /// A tensor in the arena.
  package struct Location: Sendable {
    package let tensor: Int
    package let offset: Int
    package let byteCount: Int
    package let lifetime: ClosedRange<Int>
  }

  package let nodes: [Node]
  package let arenaByteCount: Int
  package let arenaLowerBound: Int
  package let locations: [Location]

  /// How `interpreter` computes its subgraph; nil where that is not planned.
  package init?(_ interpreter: Interpreter) {
    guard let plan = interpreter.plan, let table = interpreter.table else { return nil }
    nodes = plan.steps.enumerated().map { index, step in
      switch step {
      case .folded: Node(index: index, state: .folded, kernel: nil, isOptimized: false)
      case .shared: Node(index: index, state: .shared, kernel: nil, isOptimized: false)
      case .fused(let other):
        Node(index: index, state: .fused, kernel: nil, isOptimized: true, fusedInto: other)
      case .deferred: Node(index: index, state: .deferred, kernel: nil, isOptimized: false)
      case .computed(let step):
        Node(
          index: index, state: .computed, kernel: name(of: step.kernel),
          isOptimized: step.isOptimized, members: step.members)
      }
    }
    let memory = plan.memory
    arenaByteCount = memory.arenaByteCount
    arenaLowerBound = memory.lowerBound
    let placed = memory.placedTensors.sorted {
      ($0.place.offset, $0.tensor) < ($1.place.offset, $1.tensor)
    }
    locations = placed.map { tensor, place in
      Location(
        tensor: tensor, offset: place.offset, byteCount: table.types[tensor]?.byteCount ?? 0,
        lifetime: place.lifetime)
    }
  }

  /// The nodes in this state.
  package func nodes(_ state: NodeState) -> [Int] {
    nodes.filter { $0.state == state }.map(\.index)
  }
}
