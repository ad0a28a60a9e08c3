// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
package import ReferenceKernels
import Synchronization
package import Tensors

/// What a plan does about a node.
///
/// `Computation` is what the stage of planning knows of a node that runs compute: first its kernel
/// (`PreparedNode`), then its tensors too (`Step`).
package enum NodePlan<Computation: Sendable>: Sendable {
  /// It was computed while planning; its outputs are constants.
  case folded
  /// Its output shares its input's memory; nothing needs to be done.
  case shared
  /// It is computed together with the node of this index, which comes later.
  case fused(into: Int)
  /// Its types depend on values that only a run computes.
  case deferred
  /// Runs compute it so.
  case computed(Computation)
}

extension NodePlan<Step> {
  /// Whether runs do without a reference kernel for the node.
  package var isOptimized: Bool {
    switch self {
    case .folded, .shared, .fused: true
    case .deferred: false
    case .computed(let step): step.isOptimized
    }
  }
}

/// A node that a run has to do something about.
@safe
struct ScheduledStep {
  /// Its index.
  let node: Int
  /// What computes it; nil where that is seen in the run only.
  ///
  /// The plan's steps hold it: counting references takes as long as a small node.
  let step: Unmanaged<Step>?
  /// Where a node that waits for the run keeps what it comes to, in the plan's slots.
  let slot: Unmanaged<SessionSlot>?
  /// Whether there is only something to do in runs that find other types.
  var isShared: Bool { unsafe step == nil && slot == nil }

  /// The nodes that a run has to do something about.
  ///
  /// With `sharesPredicted`, that is also nodes whose outputs share their inputs' memory: in a run
  /// that finds other types they may have to be computed.
  static func schedule(
    of steps: [NodePlan<Step>], _ slots: [SessionSlot?], sharesPredicted: Bool
  ) -> [ScheduledStep] {
    steps.enumerated().compactMap { node, plan in
      switch plan {
      case .folded, .fused: nil
      case .shared:
        sharesPredicted
          ? unsafe ScheduledStep(node: node, step: nil, slot: nil) : nil
      case .deferred:
        unsafe ScheduledStep(
          node: node, step: nil, slot: slots[node].map { unsafe Unmanaged.passUnretained($0) })
      case .computed(let step):
        unsafe ScheduledStep(
          node: node, step: Unmanaged.passUnretained(step), slot: nil)
      }
    }
  }
}

/// A prepared node, or several that are fused, with its tensors.
package final class Step: Sendable {
  /// The nodes that are computed together, in order.
  package let members: [Int]
  /// What computes them.
  package let kernel: any Kernel
  /// The same, where its work falls into blocks that threads can share.
  let blockKernel: (any BlockKernel)?
  /// Whether the kernel is an optimized kernel for the reference kernel.
  package let isOptimized: Bool
  /// What it costs, in the units of `Limits.workCount`.
  let work: Int
  /// Its tensors.
  package let frame: TensorFrame
  /// The blocks that were counted last, behind the workers they are for: counting takes as long as
  /// a small node.
  private let countedBlocks = Atomic<UInt64>(0)

  init(_ node: PreparedNode, work: Int, frame: consuming TensorFrame) {
    self.work = work
    members = node.members
    kernel = node.kernel.kernel
    blockKernel = node.kernel.blocks
    isOptimized = node.isOptimized
    self.frame = frame
  }

  /// What became of a step.
  enum Outcome {
    case done
    case failed(KernelError)
    /// Several workers have to share it, or to know what it costs.
    case leftOut
  }

  /// Computes it, unless that takes more than calling its kernel.
  @inline(__always)
  func evaluateAlone(workerCount: Int, isTimed: Bool) -> Outcome {
    guard blockCount(workerCount: workerCount) <= 1, !isTimed || blockKernel != nil else {
      return .leftOut
    }
    do throws(KernelError) {
      try kernel.evaluate(frame)
      return .done
    } catch {
      return .failed(error)
    }
  }

  /// Blocks that the work is cut into for so many workers; at most 1 where one does it alone.
  func blockCount(workerCount: Int) -> Int {
    guard workerCount > 1, let workers = UInt32(exactly: workerCount) else { return 1 }
    let counted = countedBlocks.load(ordering: .relaxed)
    if counted >> 32 == workers { return Int(UInt32(truncatingIfNeeded: counted)) }
    let count = blockKernel?.blockCount(workerCount: workerCount) ?? 1
    if let short = UInt32(exactly: count) {
      countedBlocks.store(UInt64(workers) << 32 | UInt64(short), ordering: .relaxed)
    }
    return count
  }
}
