// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors

/// Where the tensors of a plan lie in its arena.
package struct MemoryPlan {
  /// The bytes of the arena: the peak of what is alive at once, as placed.
  package let arenaByteCount: Int
  /// The least that any placement of the same tensors would need.
  package let lowerBound: Int
  /// Where each activation tensor lies, by tensor index; nil for those without a place.
  private let places: [Place?]
  /// Offsets of scratch tensors by node.
  private let scratchOffsets: [[Int]]
  /// Whether a node's outputs share the memory of its inputs, by node.
  private let isShared: [Bool]

  /// Where a tensor lies in the arena, and when.
  package struct Place: Sendable {
    /// The first byte.
    package let offset: Int
    /// The steps in which the tensor is alive.
    package let lifetime: ClosedRange<Int>
  }

  init(
    _ subgraph: ModelFile.Subgraph, _ nodes: [NodePlan<PreparedNode>], _ table: TensorTable,
    keepsAll: Bool, budget: inout PlanBudget
  ) throws(InferenceError) {
    var builder = Builder(subgraph, nodes, table, keepsAll: keepsAll)
    builder.collect()
    let placement: ArenaPlanner.Placement
    do throws(ArenaPlanner.Overflow) {
      placement = try ArenaPlanner.location(builder.requests, limit: budget.byteCount)
    } catch {
      throw budget.excess
    }
    try budget.take(min(placement.byteCount, budget.byteCount))
    arenaByteCount = placement.byteCount
    lowerBound = ArenaPlanner.lowerBound(builder.requests)
    isShared = builder.isShared
    scratchOffsets = builder.scratchRequests.map { $0.map { placement.offsets[$0] } }
    places = zip(builder.requestOfTensor, builder.offsetInRequest).map { request, offset in
      request.map {
        Place(offset: placement.offsets[$0] + offset, lifetime: builder.requests[$0].lifetime)
      }
    }
  }

  /// Where a tensor lies; nil where it has no place in the arena.
  package func place(of tensor: Int) -> Place? {
    places.indices.contains(tensor) ? places[tensor] : nil
  }

  /// The tensors that have a place, with it.
  package var placedTensors: [(tensor: Int, place: Place)] {
    places.enumerated().compactMap { tensor, place in place.map { (tensor, $0) } }
  }

  /// Offsets of the scratch tensors of a node.
  func scratchOffsets(of node: Int) -> [Int] { scratchOffsets[node] }

  /// Whether a node's outputs share the memory of its inputs.
  func shares(_ node: Int) -> Bool { isShared[node] }

  /// Finds lifetimes, and which tensors share memory.
  private struct Builder {
    let subgraph: ModelFile.Subgraph
    let nodes: [NodePlan<PreparedNode>]
    let table: TensorTable
    let keepsAll: Bool
    var requests: [ArenaPlanner.Request] = []
    /// The request of each tensor that lies in the arena, by tensor index.
    var requestOfTensor: [Int?]
    /// Where a tensor lies in the memory of its request, by tensor index.
    var offsetInRequest: [Int]
    /// The requests of each node's scratch tensors, by node.
    var scratchRequests: [[Int]]
    /// Whether a node's outputs share the memory of its inputs, by node.
    var isShared: [Bool]
    /// The first step of each tensor that lies in the arena.
    private var born: [Int?]
    /// The last step that needs each tensor.
    private var died: [Int?]

    init(
      _ subgraph: ModelFile.Subgraph, _ nodes: [NodePlan<PreparedNode>], _ table: TensorTable,
      keepsAll: Bool
    ) {
      self.subgraph = subgraph
      self.nodes = nodes
      self.table = table
      self.keepsAll = keepsAll
      scratchRequests = Array(repeating: [], count: nodes.count)
      isShared = Array(repeating: false, count: nodes.count)
      let none = [Int?](repeating: nil, count: table.types.count)
      (requestOfTensor, born, died) = (none, none, none)
      offsetInRequest = Array(repeating: 0, count: none.count)
    }

    mutating func collect() {
      findLifetimes(end: max(nodes.count - 1, 0))
      let owner = owners()
      var spans = [ClosedRange<Int>?](repeating: nil, count: born.count)
      for (tensor, first) in born.enumerated() {
        guard let first else { continue }
        let span = first...max(first, died[tensor] ?? first)
        let root = owner[tensor]?.root ?? tensor
        let known = spans[root] ?? span
        spans[root] =
          min(known.lowerBound, span.lowerBound)...max(known.upperBound, span.upperBound)
      }
      for (root, span) in spans.enumerated() {
        guard let span else { continue }
        requestOfTensor[root] = requests.count
        requests.append(
          ArenaPlanner.Request(byteCount: table.types[root]?.byteCount ?? 0, lifetime: span))
      }
      for (tensor, place) in owner.enumerated() {
        guard let place else { continue }
        requestOfTensor[tensor] = requestOfTensor[place.root]
        offsetInRequest[tensor] = place.offset
      }
      for (index, plan) in nodes.enumerated() {
        guard case .computed(let node) = plan, !node.kernel.scratch.isEmpty else { continue }
        scratchRequests[index] = node.kernel.scratch.map { byteCount in
          requests.append(ArenaPlanner.Request(byteCount: byteCount, lifetime: index...index))
          return requests.count - 1
        }
      }
    }

    /// Finds the first and the last step of every tensor that lies in the arena.
    private mutating func findLifetimes(end: Int) {
      for tensor in subgraph.inputs where tensor >= 0 && table.sources[tensor] == .input {
        // Inputs keep their values from one invocation to the next, as in TFLite.
        (born[tensor], died[tensor]) = (0, end)
      }
      for (index, plan) in nodes.enumerated() {
        for tensor in inputs(of: index) where tensor >= 0 {
          died[tensor] = max(died[tensor] ?? 0, index)
        }
        let outputs: [Int]
        switch plan {
        case .computed(let node): outputs = node.outputs
        case .deferred: outputs = subgraph.nodes[index].outputs.filter(table.predicted.contains)
        case .folded, .shared, .fused: continue
        }
        for tensor in outputs where tensor >= 0 {
          born[tensor] = keepsAll ? 0 : index
          died[tensor] = keepsAll ? end : index
        }
      }
      for tensor in subgraph.outputs where tensor >= 0 { died[tensor] = end }
    }

    private func inputs(of index: Int) -> [Int] {
      switch nodes[index] {
      case .computed(let node): node.inputs
      case .fused: []
      case .folded, .shared, .deferred: subgraph.nodes[index].inputs
      }
    }

    /// By tensor index, for those that repeat another one, or a part of it, or replace it: where they
    /// lie in the memory of a tensor that has its own.
    private mutating func owners() -> [SharedPlace?] {
      var sharing = MemorySharing(
        subgraph, table, keepsAll: keepsAll, lastRead: died, isPlaced: born.map { $0 != nil })
      for (index, plan) in nodes.enumerated() {
        guard case .computed(let node) = plan else { continue }
        isShared[index] = sharing.share(node, at: index)
      }
      return sharing.places
    }
  }
}
