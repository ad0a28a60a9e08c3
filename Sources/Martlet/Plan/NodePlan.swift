// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
package import ReferenceKernels
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
  /// What a team does of it, in the plan's `teamSteps`; nil where one worker does it alone.
  let teamStep: Unmanaged<TeamStep>?
  /// Where a node that waits for the run keeps what it comes to, in the plan's slots.
  let slot: Unmanaged<SessionSlot>?
  /// Whether there is only something to do in runs that find other types.
  var isShared: Bool { unsafe step == nil && slot == nil }

  private init(
    _ node: Int, _ step: Step? = nil, _ teamStep: TeamStep? = nil, slot: SessionSlot? = nil
  ) {
    self.node = node
    unsafe self.step = step.map { unsafe .passUnretained($0) }
    unsafe self.teamStep = teamStep.map { unsafe .passUnretained($0) }
    unsafe self.slot = slot.map { unsafe .passUnretained($0) }
  }

  /// The nodes that a run has to do something about.
  ///
  /// With `sharesPredicted`, that is also nodes whose outputs share their inputs' memory: in a run
  /// that finds other types they may have to be computed.
  static func schedule(
    of steps: [NodePlan<Step>], _ teamSteps: [TeamStep?], _ slots: [SessionSlot?],
    sharesPredicted: Bool
  ) -> [ScheduledStep] {
    steps.enumerated().compactMap { node, plan in
      switch plan {
      case .folded, .fused: nil
      case .shared: sharesPredicted ? ScheduledStep(node) : nil
      case .deferred: ScheduledStep(node, slot: slots[node])
      case .computed(let step): ScheduledStep(node, step, teamSteps[node])
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
    /// The time that is left has to be compared with what it costs.
    case leftOut
  }

  /// Computes it by one worker, unless that takes more than calling its kernel.
  @inline(__always)
  func evaluateAlone(isTimed: Bool) -> Outcome {
    guard !isTimed || blockKernel != nil else { return .leftOut }
    do throws(KernelError) {
      try kernel.evaluate(frame)
      return .done
    } catch {
      return .failed(error)
    }
  }
}
