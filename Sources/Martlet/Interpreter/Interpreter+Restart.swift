// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels

extension Interpreter {
  /// Brings an interpreter whose invocations do not depend on earlier ones back to where it was
  /// before the first, with the work of the next ones shared among `threadCount` threads.
  ///
  /// The plan stays, also where one for so many threads would fuse other nodes; inputs have to be
  /// set again.
  ///
  /// - Returns: false where nodes keep something from one invocation to the next, or decide in an
  ///   invocation what they compute, so that only another interpreter starts from the same state.
  package func restart(threadCount: Int) -> Bool {
    guard let plan = root.plan, plan.isPure else { return false }
    session.team = WorkerTeam(workerCount: threadCount)
    root.team = session.team
    plan.share(among: threadCount, session.progress)
    plan.clearArena()
    return true
  }
}
