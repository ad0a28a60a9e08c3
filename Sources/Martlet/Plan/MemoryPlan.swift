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
  /// Offsets of activation tensors by tensor index.
  package let offsets: [Int: Int]
  /// The steps in which each placed tensor is alive, by tensor index.
  package let lifetimes: [Int: ClosedRange<Int>]
  /// Offsets of scratch tensors by node.
  package let scratchOffsets: [Int: [Int]]
  /// Nodes whose output shares the memory of their input.
  package let sharedNodes: Set<Int>

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
    sharedNodes = builder.sharedNodes
    scratchOffsets = builder.scratchRequests.mapValues { $0.map { placement.offsets[$0] } }
    var offsets: [Int: Int] = [:]
    var lifetimes: [Int: ClosedRange<Int>] = [:]
    for (tensor, request) in builder.requestOfTensor {
      offsets[tensor] = placement.offsets[request]
      lifetimes[tensor] = builder.requests[request].lifetime
    }
    self.offsets = offsets
    self.lifetimes = lifetimes
  }

  /// Finds lifetimes, and which tensors share memory.
  private struct Builder {
    let subgraph: ModelFile.Subgraph
    let nodes: [NodePlan<PreparedNode>]
    let table: TensorTable
    let keepsAll: Bool
    var requests: [ArenaPlanner.Request] = []
    var requestOfTensor: [Int: Int] = [:]
    var scratchRequests: [Int: [Int]] = [:]
    var sharedNodes: Set<Int> = []

    init(
      _ subgraph: ModelFile.Subgraph, _ nodes: [NodePlan<PreparedNode>], _ table: TensorTable,
      keepsAll: Bool
    ) {
      self.subgraph = subgraph
      self.nodes = nodes
      self.table = table
      self.keepsAll = keepsAll
    }

    mutating func collect() {
      let end = max(nodes.count - 1, 0)
      let (born, died) = lifetimes(end: end)
      let owner = owners(born: born, died: died)
      var spans: [Int: ClosedRange<Int>] = [:]
      for (tensor, first) in born {
        let span = first...max(first, died[tensor] ?? first)
        let root = owner[tensor] ?? tensor
        let known = spans[root] ?? span
        spans[root] =
          min(known.lowerBound, span.lowerBound)...max(known.upperBound, span.upperBound)
      }
      for (root, span) in spans.sorted(by: { $0.key < $1.key }) {
        requestOfTensor[root] = requests.count
        requests.append(
          ArenaPlanner.Request(byteCount: table.types[root]?.byteCount ?? 0, lifetime: span))
      }
      for (tensor, root) in owner { requestOfTensor[tensor] = requestOfTensor[root] }
      for (index, plan) in nodes.enumerated() {
        guard case .computed(let node) = plan, !node.kernel.scratch.isEmpty else { continue }
        scratchRequests[index] = node.kernel.scratch.map { byteCount in
          requests.append(ArenaPlanner.Request(byteCount: byteCount, lifetime: index...index))
          return requests.count - 1
        }
      }
    }

    /// First and last step of every tensor that lies in the arena.
    private func lifetimes(end: Int) -> (born: [Int: Int], died: [Int: Int]) {
      var born: [Int: Int] = [:]
      var died: [Int: Int] = [:]
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
        for tensor in outputs {
          born[tensor] = keepsAll ? 0 : index
          died[tensor] = keepsAll ? end : index
        }
      }
      for tensor in subgraph.outputs where tensor >= 0 { died[tensor] = end }
      return (born, died)
    }

    private func inputs(of index: Int) -> [Int] {
      switch nodes[index] {
      case .computed(let node): node.inputs
      case .fused: []
      case .folded, .shared, .deferred: subgraph.nodes[index].inputs
      }
    }

    /// For tensors that repeat another one, or replace it: the tensor whose memory they share.
    private mutating func owners(born: [Int: Int], died: [Int: Int]) -> [Int: Int] {
      var owner: [Int: Int] = [:]
      /// The last step in which any of the tensors that share memory so far is read.
      var lastRead = died
      for output in subgraph.outputs { lastRead[output] = Int.max }
      for (index, plan) in nodes.enumerated() {
        guard case .computed(let node) = plan, node.outputs.count == 1 else { continue }
        let output = node.outputs[0]
        func mayShare(_ position: Int) -> Bool {
          guard node.inputs.indices.contains(position) else { return false }
          let input = node.inputs[position]
          return input >= 0 && born[input] != nil && table.sources[input] != .input
            && table.types[input]?.byteCount == table.types[output]?.byteCount
        }
        func share(_ position: Int) {
          let root = owner[node.inputs[position]] ?? node.inputs[position]
          owner[output] = root
          lastRead[root] = max(lastRead[root] ?? 0, lastRead[output] ?? 0)
        }
        if let position = node.repeatedInput, mayShare(position) {
          share(position)
          sharedNodes.insert(index)
        } else if !keepsAll, let kernel = node.kernel.blocks,
          let position = kernel.inPlaceInputs.first(where: { position in
            guard mayShare(position) else { return false }
            let input = node.inputs[position]
            return lastRead[owner[input] ?? input] == index
          })
        {
          share(position)
        }
      }
      return owner
    }
  }
}
