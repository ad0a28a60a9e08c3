// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import Synchronization
import Tensors

/// Puts the optimized kernels of a kernel set in the place of reference kernels.
///
/// Making one packs the weights of its node, most of the time that it takes to prepare a network.
/// As each follows from its own node alone, threads share them.
struct KernelSubstitution {
  let kernels: KernelSet
  let weights: WeightCache
  let workerCount: Int

  /// Below this many bytes of constants, threads would take longer to start than they save.
  private static let leastSharedByteCount = 1 << 18

  /// Replaces the kernels of `nodes`.
  func replaceKernels(of nodes: inout [ResolvedNode]) {
    var jobs = nodes.indices.compactMap { Job(index: $0, nodes[$0]) }
    let total = jobs.reduce(0) { $0 + $1.constantByteCount }
    guard workerCount > 1, jobs.count > 1, total >= Self.leastSharedByteCount else {
      for job in jobs { put(optimizedKernel(of: job), in: job, of: &nodes) }
      return
    }
    // The last one should be small, or everybody waits for it.
    jobs.sort { ($1.constantByteCount, $0.index) < ($0.constantByteCount, $1.index) }
    for (job, optimizedKernel) in zip(jobs, shared(jobs)) {
      put(optimizedKernel, in: job, of: &nodes)
    }
  }

  private func shared(_ jobs: [Job]) -> [KernelSet.OptimizedKernel?] {
    let results = Results(count: jobs.count)
    let team = WorkerTeam(workerCount: workerCount)
    team.region {
      team.perform(blockCount: jobs.count) { [self] next in
        while let index = next() {
          let optimizedKernel = optimizedKernel(of: jobs[index])
          results.optimizedKernels.withLock { $0[index] = optimizedKernel }
        }
      }
    }
    return results.optimizedKernels.withLock { $0 }
  }

  private func optimizedKernel(of job: Job) -> KernelSet.OptimizedKernel? {
    kernels.optimizedKernel(for: job.reference, job.node.context, weights)
  }

  private func put(
    _ optimizedKernel: KernelSet.OptimizedKernel?, in job: Job, of nodes: inout [ResolvedNode]
  ) {
    guard let optimizedKernel else { return }
    nodes[job.index].state = .prepared(PreparedNode(job.node, by: optimizedKernel))
  }

  /// What threads found.
  private final class Results: Sendable {
    let optimizedKernels: Mutex<[KernelSet.OptimizedKernel?]>

    init(count: Int) { optimizedKernels = Mutex(Array(repeating: nil, count: count)) }
  }

  /// A node whose kernel may be replaced.
  private struct Job {
    let index: Int
    let node: PreparedNode
    let reference: any Kernel
    let constantByteCount: Int

    init?(index: Int, _ node: ResolvedNode) {
      guard case .prepared(let prepared) = node.state, let reference = prepared.reference else {
        return nil
      }
      self.index = index
      self.node = prepared
      self.reference = reference
      constantByteCount = prepared.context.inputs.reduce(0) { sum, input in
        sum + (input?.isConstant == true ? input?.bytes?.byteCount ?? 0 : 0)
      }
    }
  }
}
