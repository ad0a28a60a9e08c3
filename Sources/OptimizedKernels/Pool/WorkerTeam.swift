// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Threads that share the blocks of one invocation's nodes.
///
/// Starting a thread's work costs tens of microseconds, as much as a whole node, so helpers are
/// started by an invocation's first job, unless they are still there from the last one, then follow
/// the caller from job to job through atomics. A job is a number of blocks. Each worker has a run of
/// neighboring ones to begin with, so that it often finds in its own cache what it computed in the
/// job before; then it helps the others with theirs.
/// The caller can do every job alone: helpers that start late, or never because all of Dispatch's
/// threads are busy, cost nothing but their help. So any number of teams may be at work at once
/// without deadlock.
///
/// A job of few blocks has as many workers; the other helpers pass it over.
///
/// Between jobs helpers spin for some microseconds, then park until the next job or the end. After
/// the end they stay for a moment, for invocations often follow each other, unless the processors
/// have enough to do for other teams. A caller whose helper was interrupted in a block parks, too:
/// the system may let the helper go on where the caller was.
package final class WorkerTeam: Sendable {
  /// The caller and its helpers.
  package let workerCount: Int
  private let shared: SharedJobs
  /// The workers of all teams whose helpers were called in a region that lasts.
  static let busyWorkerCount = Atomic(0)

  /// A team of `workerCount` threads, the caller being one.
  package init(workerCount: Int) {
    self.workerCount = max(workerCount, 1)
    // To count processors, a file is read: a caller alone has nobody to wait for.
    let spins = workerCount > 1 && workerCount <= Processors.count ? 20_000 : 0
    shared = SharedJobs(workerCount: self.workerCount, spins: spins)
  }

  /// Runs `body`, from whose first job on helpers are at hand.
  ///
  /// Only one region of a team may run at a time: an interpreter has a team of its own.
  package func region<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    guard workerCount > 1 else { return try body() }
    defer {
      if shared.endsSession() {
        Self.busyWorkerCount.subtract(workerCount, ordering: .sequentiallyConsistent)
      }
    }
    try body()
  }

  /// Calls the helpers, unless they have been called in this region.
  private func callHelpers() {
    guard workerCount > 1, shared.startsSession() else { return }
    for worker in 1..<workerCount where shared.becomesPresent(worker) {
      BackgroundWork.run { [shared] in shared.help(as: worker) }
    }
    Self.busyWorkerCount.add(workerCount, ordering: .sequentiallyConsistent)
  }

  /// Performs `blockCount` blocks, together with the helpers that are there.
  ///
  /// When this returns all blocks are done and nobody uses the job any more.
  package func perform(blockCount: Int, _ job: TeamJob) {
    callHelpers()
    shared.perform(blockCount: blockCount, job)
  }

  /// Performs a job that is done once.
  package func perform(blockCount: Int, _ work: @escaping TeamJob.Work) {
    perform(blockCount: blockCount, TeamJob(work))
  }
}

/// Work that falls into blocks.
///
/// Who does it often keeps it: to make one takes as long as to hand it over.
package final class TeamJob: Sendable {
  /// A share of the work: computes the blocks that it is given until there are no more.
  package typealias Work = @Sendable (_ next: () -> Int?) -> Void

  let work: Work

  /// The job to do `work`.
  package init(_ work: @escaping Work) { self.work = work }
}
