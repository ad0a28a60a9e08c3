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
    /// Computed together with a later node.
    case joined
    /// Prepared, by a reference kernel or an optimized kernel.
    case ready
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
    /// The node that it is computed with.
    package var joinedTo: Int?
  }

  /// A tensor in the arena.
  package struct Place: Sendable {
    package let tensor: Int
    package let offset: Int
    package let byteCount: Int
    package let lifetime: ClosedRange<Int>
  }

  package let nodes: [Node]
  package let arenaByteCount: Int
  package let arenaLowerBound: Int
  package let places: [Place]

  package init(_ plan: ExecutionPlan) {
    nodes = plan.steps.map { step in
      switch step {
      case .folded(let node): Node(index: node, state: .folded, kernel: nil, isOptimized: false)
      case .shared(let node): Node(index: node, state: .shared, kernel: nil, isOptimized: false)
      case .joined(let node, let other):
        Node(index: node, state: .joined, kernel: nil, isOptimized: true, joinedTo: other)
      case .deferred(let node): Node(index: node, state: .deferred, kernel: nil, isOptimized: false)
      case .ready(let step):
        Node(
          index: step.node, state: .ready, kernel: name(of: step.kernel),
          isOptimized: step.isOptimized, members: step.members)
      }
    }
    let memory = plan.memory
    arenaByteCount = memory.arenaByteCount
    arenaLowerBound = memory.lowerBound
    places = memory.offsets.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map {
      Place(
        tensor: $0.key, offset: $0.value, byteCount: plan.table.types[$0.key]?.byteCount ?? 0,
        lifetime: memory.lifetimes[$0.key] ?? 0...0)
    }
  }

  /// The nodes in this state.
  package func nodes(_ state: NodeState) -> [Int] {
    nodes.filter { $0.state == state }.map(\.index)
  }
}
