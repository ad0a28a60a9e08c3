// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The jobs of a team: what its threads share.
@safe
final class SharedJobs: Sendable {
  // What waiting helpers read lies apart from what is written while a job is done: else every
  // claim of a block would take the line from the others' caches. It lies in one line, so that who
  // sees a job has all there is to know about it. Nothing that all of them write is part of a job:
  // with many workers each such write takes longer than a short node.
  // Where a thread writes one of these and then reads another, the write is an exchange: with plain
  // stores a team that QEMU emulated for arm64 was seen to lose a signal.

  /// The session that runs, or the negative number of the one that ended.
  private let session = Atomic(0)
  /// Counts jobs: odd while one is open, even between jobs.
  private let epoch = Atomic(0)
  /// The workers that the open job is for.
  private let wanted = Atomic(1)
  // Written by the caller only while no job is open and no helper is at work, read by helpers
  // only while they are at work in an open job. The caller keeps the job alive while it is open.
  private nonisolated(unsafe) var job: Unmanaged<TeamJob>?
  private nonisolated(unsafe) var blockCount = 0
  private let parked = Atomic(0)
  private let afterEpoch = CacheLines(repeating: 0)
  private let wake = Semaphore()
  /// Whether the caller waits for `someoneLeft`, which whoever sets this to false signals.
  private let isCallerParked = Atomic(false)
  private let someoneLeft = Semaphore()
  private let lanes: Lanes
  /// How often a helper looks for the next job before it parks, some ten microseconds long; zero
  /// where threads are more than processors.
  private let spins: Int
  /// How often it looks for the next session, about a quarter of a millisecond long, before it
  /// leaves.
  private var lingeringSpins: Int { spins * 20 }
  /// How often the caller looks whether helpers have finished their blocks before it parks, about a
  /// tenth of a millisecond long.
  private var patience: Int { spins * 8 }

  /// The jobs of a team of `workerCount` threads, which spin so often.
  init(workerCount: Int, spins: Int) {
    lanes = Lanes(count: workerCount)
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
    unsafe lanes[worker].pointee.isPresent.compareExchange(
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

  /// Performs `blockCount` blocks; all are done when this returns.
  func perform(blockCount: Int, _ job: TeamJob) {
    guard blockCount <= Lane.mostBlocks else { return perform(job, alone: blockCount) }
    let workerCount = max(min(lanes.count, blockCount), 1)
    unsafe self.job = Unmanaged.passUnretained(job)
    unsafe self.blockCount = blockCount
    wanted.store(workerCount, ordering: .relaxed)
    let (_, current) = epoch.wrappingAdd(1, ordering: .sequentiallyConsistent)
    wakeAll()
    work(job, blockCount, as: 0, of: workerCount, epoch: current)
    // Who says that it is at work from here on sees that no job is open; the others finish theirs.
    let (_, closed) = epoch.wrappingAdd(1, ordering: .sequentiallyConsistent)
    waitForHelpers(workerCount)
    unsafe self.job = nil
    lanes.forgetJobs(before: closed)
    withExtendedLifetime(job) {}
  }

  /// Performs blocks that lanes cannot count.
  private func perform(_ job: TeamJob, alone blockCount: Int) {
    var next = 0
    job.work {
      guard next < blockCount else { return nil }
      next += 1
      return next - 1
    }
  }

  /// Waits until none of the first `workerCount` workers uses the job any more.
  private func waitForHelpers(_ workerCount: Int) {
    // Who is not at work once will not use this job, so nobody is looked at twice.
    var worker = 1
    func haveLeft() -> Bool {
      while worker < workerCount {
        if unsafe lanes[worker].pointee.isAtWork.load(ordering: .sequentiallyConsistent) {
          return false
        }
        worker += 1
      }
      return true
    }
    for _ in 0..<patience {
      if haveLeft() { return }
    }
    while !haveLeft() {
      _ = isCallerParked.exchange(true, ordering: .sequentiallyConsistent)
      // The last may have left before it could see that the caller parks.
      if haveLeft(), isCallerParked.exchange(false, ordering: .sequentiallyConsistent) { return }
      someoneLeft.wait()
    }
  }

  /// Notes that a helper does not use the job any more.
  private func leave(_ worker: Int) {
    _ = unsafe lanes[worker].pointee.isAtWork.exchange(false, ordering: .sequentiallyConsistent)
    guard isCallerParked.load(ordering: .sequentiallyConsistent),
      isCallerParked.exchange(false, ordering: .sequentiallyConsistent)
    else { return }
    someoneLeft.signal()
  }

  /// Does blocks of the worker's own lane, then of the others'.
  private func work(
    _ job: TeamJob, _ blockCount: Int, as worker: Int, of workerCount: Int, epoch: Int
  ) {
    var (lane, passed) = (worker, 0)
    var blocks = share(lane, of: workerCount, blockCount)
    job.work {
      while passed < workerCount {
        if let block = unsafe lanes[lane].pointee.claim(of: blocks, epoch: epoch) { return block }
        passed += 1
        lane = lane + 1 < workerCount ? lane + 1 : 0
        blocks = share(lane, of: workerCount, blockCount)
      }
      return nil
    }
  }

  /// A helper's life: joins one job after the other until no session follows the last.
  func help(as worker: Int) {
    repeat {
      repeat { joinJobs(as: worker) } while isCalledAgain()
      unsafe lanes[worker].pointee.isPresent.store(false, ordering: .sequentiallyConsistent)
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
    var done = 0  // the last epoch that this helper worked in, or passed over
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
    // Another job's number is read where this one has ended meanwhile, which is seen below.
    let workerCount = wanted.load(ordering: .relaxed)
    guard worker < workerCount else { return }
    _ = unsafe lanes[worker].pointee.isAtWork.exchange(true, ordering: .sequentiallyConsistent)
    defer { leave(worker) }
    guard epoch.load(ordering: .sequentiallyConsistent) == current, let job = unsafe job else {
      return
    }
    unsafe job._withUnsafeGuaranteedRef {
      unsafe work($0, blockCount, as: worker, of: workerCount, epoch: current)
    }
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
