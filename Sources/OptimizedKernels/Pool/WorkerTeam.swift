// SPDX-License-Identifier: Apache-2.0

import Dispatch
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
/// Between jobs helpers spin for some microseconds, then park until the next job or the end. After
/// the end they stay for a moment, for invocations often follow each other, unless the processors
/// have enough to do for other teams. A caller whose helper was interrupted in a block parks, too:
/// the system may let the helper go on where the caller was.
package final class WorkerTeam: Sendable {
  /// A share of the work: computes the blocks that it is given until there are no more.
  package typealias Job = @Sendable (_ next: () -> Int?) -> Void

  /// The caller and its helpers.
  package let workerCount: Int
  private let shared: Shared
  /// The workers of all teams whose helpers were called in a region that lasts.
  fileprivate static let busyWorkerCount = Atomic(0)

  /// A team of `workerCount` threads, the caller being one.
  package init(workerCount: Int) {
    self.workerCount = max(workerCount, 1)
    shared = Shared(
      workerCount: self.workerCount, spins: workerCount <= Processors.count ? 20_000 : 0)
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
      DispatchQueue.global(qos: .userInitiated).async { [shared] in shared.help(as: worker) }
    }
    Self.busyWorkerCount.add(workerCount, ordering: .sequentiallyConsistent)
  }

  /// Performs `blockCount` blocks, together with the helpers that are there.
  ///
  /// When this returns all blocks are done and nobody uses the job any more.
  package func perform(blockCount: Int, _ job: @escaping Job) {
    callHelpers()
    shared.perform(blockCount: blockCount, job)
  }
}

/// What belongs to one worker.
private final class Lane: Sendable {
  /// Of the blocks of a job that this worker claims first, the next that nobody has claimed.
  let next = Atomic(0)
  // What others write must not lie in the same cache line.
  private let afterNext = InlineArray<16, Int>(repeating: 0)
  /// Whether the worker is there, or asked for and on its way.
  let isPresent = Atomic(false)
}

/// What the threads of a team share.
private final class Shared: Sendable {
  // What waiting helpers read lies apart from what is written while a job is done: else every
  // claim of a block would take the line from the others' caches.
  private typealias CacheLine = InlineArray<16, Int>
  // Where a thread writes one of these and then reads another, the write is an exchange: with plain
  // stores a team that QEMU emulated for arm64 was seen to lose a signal.

  /// The session that runs, or the negative number of the one that ended.
  private let session = Atomic(0)
  /// Counts jobs: odd while one is open, even between jobs.
  private let epoch = Atomic(0)
  private let parked = Atomic(0)
  private let afterEpoch = CacheLine(repeating: 0)
  /// Helpers that may be using the open job.
  private let active = Atomic(0)
  private let afterActive = CacheLine(repeating: 0)
  private let wake = DispatchSemaphore(value: 0)
  /// Whether the caller waits for `allLeft`, which whoever sets this to false signals.
  private let isCallerParked = Atomic(false)
  private let allLeft = DispatchSemaphore(value: 0)
  private let lanes: [Lane]
  /// How often a helper looks for the next job before it parks, some ten microseconds long; zero
  /// where threads are more than processors.
  private let spins: Int
  /// How often it looks for the next session, about a quarter of a millisecond long, before it
  /// leaves.
  private var lingeringSpins: Int { spins * 20 }
  /// How often the caller looks whether helpers have finished their blocks before it parks, about a
  /// tenth of a millisecond long.
  private var patience: Int { spins * 8 }

  // Written by the caller only while no job is open and no helper is active, read by helpers
  // only while they are active in an open job.
  private nonisolated(unsafe) var job: WorkerTeam.Job?
  private nonisolated(unsafe) var blockCount = 0

  init(workerCount: Int, spins: Int) {
    lanes = (0..<workerCount).map { _ in Lane() }
    self.spins = spins
  }

  /// Starts a session; false where one runs.
  func startsSession() -> Bool {
    let last = session.load(ordering: .relaxed)
    guard last <= 0 else { return false }
    session.store(1 - last, ordering: .sequentiallyConsistent)
    return true
  }

  /// Takes `worker` for present from now on; false where it already is, and will see the session.
  func becomesPresent(_ worker: Int) -> Bool {
    lanes[worker].isPresent.compareExchange(
      expected: false, desired: true, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Ends the session; false where none runs.
  func endsSession() -> Bool {
    let last = session.load(ordering: .relaxed)
    guard last > 0 else { return false }
    _ = session.exchange(-last, ordering: .sequentiallyConsistent)
    wakeAll()
    return true
  }

  func perform(blockCount: Int, _ job: @escaping WorkerTeam.Job) {
    unsafe self.job = job
    unsafe self.blockCount = blockCount
    for worker in lanes.indices {
      lanes[worker].next.store(
        share(worker, of: lanes.count, blockCount).lowerBound, ordering: .relaxed)
    }
    epoch.add(1, ordering: .sequentiallyConsistent)
    wakeAll()
    work(job, blockCount, as: 0)
    // Whoever becomes active from here on sees that no job is open; the others finish theirs.
    epoch.add(1, ordering: .sequentiallyConsistent)
    waitUntilAllLeft()
    unsafe self.job = nil
  }

  private func waitUntilAllLeft() {
    for _ in 0..<patience {
      if active.load(ordering: .sequentiallyConsistent) == 0 { return }
    }
    while active.load(ordering: .sequentiallyConsistent) > 0 {
      _ = isCallerParked.exchange(true, ordering: .sequentiallyConsistent)
      // The last may have left before it could see that the caller parks.
      let isOver = active.load(ordering: .sequentiallyConsistent) == 0
      if isOver, isCallerParked.exchange(false, ordering: .sequentiallyConsistent) { return }
      allLeft.wait()
    }
  }

  /// Notes that a helper does not use the job any more.
  private func leave() {
    guard active.subtract(1, ordering: .sequentiallyConsistent).newValue == 0,
      isCallerParked.load(ordering: .sequentiallyConsistent),
      isCallerParked.exchange(false, ordering: .sequentiallyConsistent)
    else { return }
    allLeft.signal()
  }

  /// Does blocks of the worker's own lane, then of the others'.
  private func work(_ job: WorkerTeam.Job, _ blockCount: Int, as worker: Int) {
    var passed = 0
    job {
      while passed < lanes.count {
        let lane = (worker + passed) % lanes.count
        let block = lanes[lane].next.add(1, ordering: .acquiringAndReleasing).oldValue
        if block < share(lane, of: lanes.count, blockCount).upperBound { return block }
        passed += 1
      }
      return nil
    }
  }

  /// A helper's life: joins one job after the other until no session follows the last.
  func help(as worker: Int) {
    repeat {
      repeat { joinJobs(as: worker) } while isCalledAgain()
      lanes[worker].isPresent.store(false, ordering: .sequentiallyConsistent)
      // A session that began before the helper was gone has counted on it.
    } while isRunning && becomesPresent(worker)
  }

  private var isRunning: Bool { session.load(ordering: .sequentiallyConsistent) > 0 }

  /// Waits for a moment whether a session follows the last one, as long as a processor is free.
  private func isCalledAgain() -> Bool {
    for look in 0..<lingeringSpins {
      if isRunning { return true }
      guard look % 64 == 0 else { continue }
      let others = WorkerTeam.busyWorkerCount.load(ordering: .sequentiallyConsistent)
      guard others < Processors.count else { return false }
    }
    return false
  }

  /// Joins the jobs of the session that runs, until its end.
  private func joinJobs(as worker: Int) {
    var done = 0  // the last epoch that this helper worked in
    while true {
      let mine = session.load(ordering: .sequentiallyConsistent)
      guard mine > 0 else { return }
      let current = epoch.load(ordering: .sequentiallyConsistent)
      if current % 2 == 1, current != done {
        join(current, as: worker)
        done = current
      } else {
        waitForChange(of: current, session: mine)
      }
    }
  }

  private func join(_ current: Int, as worker: Int) {
    active.add(1, ordering: .sequentiallyConsistent)
    defer { leave() }
    guard epoch.load(ordering: .sequentiallyConsistent) == current, let job = unsafe job else {
      return
    }
    unsafe work(job, blockCount, as: worker)
  }

  private func hasChanged(since current: Int, session mine: Int) -> Bool {
    epoch.load(ordering: .sequentiallyConsistent) != current
      || session.load(ordering: .sequentiallyConsistent) != mine
  }

  private func waitForChange(of current: Int, session mine: Int) {
    for _ in 0..<spins {
      if hasChanged(since: current, session: mine) { return }
    }
    parked.add(1, ordering: .sequentiallyConsistent)
    guard hasChanged(since: current, session: mine) else { return wake.wait() }
    // The change came between the last look and parking: take the place back, unless the
    // waker has counted it already; then its signal is on the way.
    var count = parked.load(ordering: .sequentiallyConsistent)
    while count > 0 {
      let (exchanged, original) = parked.compareExchange(
        expected: count, desired: count - 1, ordering: .sequentiallyConsistent)
      if exchanged { return }
      count = original
    }
    wake.wait()
  }

  private func wakeAll() {
    guard parked.load(ordering: .sequentiallyConsistent) > 0 else { return }
    for _ in 0..<parked.exchange(0, ordering: .sequentiallyConsistent) { wake.signal() }
  }
}
