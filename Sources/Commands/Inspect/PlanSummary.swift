// SPDX-License-Identifier: Apache-2.0

import Martlet
import ReferenceKernels
import Tensors

/// How a planned model will be computed.
struct PlanSummary {
  /// What becomes of a node.
  enum NodeState: String {
    /// Computed while planning: its outputs are constants.
    case folded
    /// Nothing to do: the output shares the input's memory.
    case shared
    /// Computed together with a later node.
    case joined
    /// Prepared, by a reference kernel or a stand-in.
    case ready
    /// Planned again in every run, since its types depend on values.
    case deferred
  }

  /// A node and its kernel.
  struct Node {
    let index: Int
    let state: NodeState
    let kernel: String?
    let isStandIn: Bool
    /// The nodes that its kernel computes, itself included; empty where it has none.
    var members: [Int] = []
    /// The node that it is computed with.
    var joinedTo: Int?
  }

  /// A tensor in the arena.
  struct Place {
    let tensor: Int
    let offset: Int
    let byteCount: Int
    let lifetime: ClosedRange<Int>
  }

  let nodes: [Node]
  let arenaByteCount: Int
  let arenaLowerBound: Int
  let places: [Place]

  init(_ plan: ExecutionPlan) {
    nodes = plan.steps.map { step in
      switch step {
      case .folded(let node): Node(index: node, state: .folded, kernel: nil, isStandIn: false)
      case .shared(let node): Node(index: node, state: .shared, kernel: nil, isStandIn: false)
      case .joined(let node, let other):
        Node(index: node, state: .joined, kernel: nil, isStandIn: true, joinedTo: other)
      case .deferred(let node): Node(index: node, state: .deferred, kernel: nil, isStandIn: false)
      case .ready(let step):
        Node(
          index: step.node, state: .ready, kernel: name(of: step.kernel),
          isStandIn: step.isStandIn, members: step.members)
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
  func nodes(_ state: NodeState) -> [Int] { nodes.filter { $0.state == state }.map(\.index) }
}
