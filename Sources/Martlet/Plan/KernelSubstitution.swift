// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import Tensors

/// Puts the optimized kernels of a kernel set instead of reference kernels.
///
/// Making one packs the weights of its node, most of the time that it takes to prepare a network.
/// As each follows from its own node alone, threads share them.
struct KernelSubstitution {
  let kernels: KernelSet
  let weights: WeightCache
  let workerCount: Int
  /// The file's bytes, of which packed forms are shared by all plans.
  let file: Storage

  /// Below this many bytes of constants, threads would take longer to start than they save.
  private static let leastSharedByteCount = 1 << 18

  /// `nodes` with optimized kernels; reference kernels stay where there is no memory left for
  /// packed weights.
  func applied(
    to nodes: [NodePlan<PreparedNode>], budget: inout PlanBudget
  ) -> [NodePlan<PreparedNode>] {
    var candidates: [Candidate] = []
    for (index, plan) in nodes.enumerated() {
      if case .computed(let node) = plan, let reference = node.reference,
        budget.takes(
          node.context.constantByteCount { ($0.derivationSource ?? $0).storage !== file })
      {
        candidates.append(Candidate(index: index, node: node, reference: reference))
      }
    }
    let total = candidates.reduce(0) { $0 + $1.constantByteCount }
    let found: [KernelSet.OptimizedKernel?]
    if workerCount > 1, candidates.count > 1, total >= Self.leastSharedByteCount {
      // The last one should be small, or everybody waits for it.
      candidates.sort { ($1.constantByteCount, $0.index) < ($0.constantByteCount, $1.index) }
      found = shared(candidates)
    } else {
      found = candidates.map(optimizedKernel)
    }
    var nodes = nodes
    for case (let candidate, let kernel?) in zip(candidates, found) {
      nodes[candidate.index] = .computed(PreparedNode(candidate.node, by: kernel))
    }
    return nodes
  }

  private func shared(_ candidates: [Candidate]) -> [KernelSet.OptimizedKernel?] {
    let results = Results(count: candidates.count)
    let team = WorkerTeam(workerCount: workerCount)
    team.region {
      team.perform(blockCount: candidates.count) { [self] next in
        while let index = next() {
          let kernel = optimizedKernel(of: candidates[index])
          results.kernels.withLock { $0[index] = kernel }
        }
      }
    }
    return results.kernels.withLock { $0 }
  }

  private func optimizedKernel(of candidate: Candidate) -> KernelSet.OptimizedKernel? {
    guard !weights.isFull else { return nil }
    return kernels.optimizedKernel(for: candidate.reference, candidate.node.context, weights)
  }

  /// What threads found.
  private final class Results: Sendable {
    let kernels: ForkableMutex<[KernelSet.OptimizedKernel?]>

    init(count: Int) { kernels = ForkableMutex(Array(repeating: nil, count: count)) }
  }

  /// A node whose kernel may be replaced.
  private struct Candidate {
    let index: Int
    let node: PreparedNode
    let reference: any Kernel

    var constantByteCount: Int { node.context.constantByteCount { _ in true } }
  }
}

extension PrepareContext {
  /// The bytes of the node's constants that are `wanted`.
  fileprivate func constantByteCount(_ wanted: (TensorBytes) -> Bool) -> Int {
    inputs.reduce(0) { sum, input in
      guard let input, input.isConstant, let bytes = input.bytes, wanted(bytes) else { return sum }
      return sum + bytes.byteCount
    }
  }
}
