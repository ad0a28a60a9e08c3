// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import Tensors

/// A step that a team of workers shares, with what they do, made once.
final class TeamStep: Sendable {
  private let step: Step
  private let kernel: any BlockKernel
  private let workerCount: Int
  /// What comes before the blocks, one after the other, with a part for each worker; none where the
  /// caller does that alone.
  private let phases: [TeamJob]
  private let blockCount: Int
  private let blocks: TeamJob

  /// What `workerCount` workers do of `step`; nil where one does it alone.
  init?(_ step: Step, workerCount: Int, _ progress: RunProgress) {
    guard workerCount > 1, let kernel = step.blockKernel else { return nil }
    blockCount = kernel.blockCount(workerCount: workerCount)
    guard blockCount > 1 else { return nil }
    (self.step, self.kernel, self.workerCount) = (step, kernel, workerCount)
    phases = (0..<kernel.phaseCount(workerCount: workerCount)).map { phase in
      TeamJob { next in
        while !progress.mustStop, let part = next() {
          kernel.begin(step.frame, phase: phase, part: part, of: workerCount)
        }
      }
    }
    blocks = TeamJob { next in
      kernel.compute(step.frame, workerCount: workerCount) { progress.mustStop ? nil : next() }
    }
  }

  /// Computes the step.
  func evaluate(by team: WorkerTeam) -> Step.Outcome {
    if phases.isEmpty { kernel.begin(step.frame) }
    for phase in phases { team.perform(blockCount: workerCount, phase) }
    team.perform(blockCount: blockCount, blocks)
    do throws(KernelError) {
      try step.frame.checkProgress()
    } catch {
      return .failed(error)
    }
    kernel.end(step.frame)
    return .done
  }
}
