// SPDX-License-Identifier: Apache-2.0

import Foundation
import OptimizedKernels
import Synchronization
import Testing

@Suite struct WorkerTeamTests {
  /// Counts how often each block of a job was done.
  final class Tally: Sendable {
    let counts: Mutex<[Int]>

    init(_ blockCount: Int) { counts = Mutex(Array(repeating: 0, count: blockCount)) }

    func job(_ next: () -> Int?) {
      while let block = next() { counts.withLock { $0[block] += 1 } }
    }
  }

  @Test(arguments: [1, 2, 3, 8])
  func `every block is done once, in every job`(workerCount: Int) {
    let team = WorkerTeam(workerCount: workerCount)
    for _ in 0..<20 {
      team.region {
        for blockCount in [1, 2, 7, 100] {
          let tally = Tally(blockCount)
          team.perform(blockCount: blockCount) { tally.job($0) }
          #expect(tally.counts.withLock { $0 } == Array(repeating: 1, count: blockCount))
        }
      }
    }
  }

  /// Jobs for a part of the team and for all of it alternate, so that helpers pass over some.
  @Test(arguments: [3, 16])
  func `jobs of few and of many blocks follow each other`(workerCount: Int) {
    let team = WorkerTeam(workerCount: workerCount)
    team.region {
      for round in 0..<500 {
        let blockCount = 1 + round * 7 % (2 * workerCount)
        let tally = Tally(blockCount)
        team.perform(blockCount: blockCount) { tally.job($0) }
        #expect(tally.counts.withLock { $0 } == Array(repeating: 1, count: blockCount))
      }
    }
  }

  /// Jobs that are kept and done again, in turns and with more or fewer blocks.
  @Test(arguments: [1, 2, 5])
  func `a job is done again`(workerCount: Int) {
    let team = WorkerTeam(workerCount: workerCount)
    let tally = Tally(40)
    let jobs = (0..<3).map { _ in TeamJob { tally.job($0) } }
    team.region {
      for round in 0..<600 { team.perform(blockCount: round % 41, jobs[round % 3]) }
    }
    // Block b was done in all rounds with more than b blocks.
    let expected = (0..<40).map { block in (0..<600).count { $0 % 41 > block } }
    #expect(tally.counts.withLock { $0 } == expected)
  }

  @Test func `a job's results are there when it returns`() {
    let team = WorkerTeam(workerCount: 2)
    team.region {
      for round in 0..<2_000 {
        let sum = Mutex(0)
        team.perform(blockCount: 16) { next in
          while let block = next() { sum.withLock { $0 += block + round } }
        }
        #expect(sum.withLock { $0 } == 120 + 16 * round)
      }
    }
  }

  /// Who is done first waits for the others, in any order and for longer than it spins.
  @Test(arguments: [2, 3, 16])
  func `a job lasts until its slowest block is done`(workerCount: Int) {
    let team = WorkerTeam(workerCount: workerCount)
    team.region {
      for round in 0..<40 {
        let tally = Tally(workerCount)
        team.perform(blockCount: workerCount) { next in
          while let block = next() {
            if block == round % workerCount { usleep(UInt32(round % 4) * 1_000) }
            tally.counts.withLock { $0[block] += 1 }
          }
        }
        #expect(tally.counts.withLock { $0 } == Array(repeating: 1, count: workerCount))
      }
    }
  }

  /// Helpers stay for a moment after a region, and leave if nothing follows.
  @Test func `regions follow each other at any distance`() {
    let team = WorkerTeam(workerCount: 2)
    for pause in [0, 50, 300, 700, 1_500, 5_000] as [UInt32] {
      for _ in 0..<50 {
        team.region {
          let tally = Tally(9)
          team.perform(blockCount: 9) { tally.job($0) }
          #expect(tally.counts.withLock { $0 } == Array(repeating: 1, count: 9))
        }
        usleep(pause)
      }
    }
  }

  @Test func `helpers come to every region that lasts`() {
    let team = WorkerTeam(workerCount: 2)
    for pause in [0, 100, 600, 3_000] as [UInt32] {
      team.region {
        // Two blocks that wait for each other take two workers.
        let begun = Atomic(0)
        team.perform(blockCount: 2) { next in
          while next() != nil {
            begun.add(1, ordering: .sequentiallyConsistent)
            while begun.load(ordering: .sequentiallyConsistent) < 2 { usleep(10) }
          }
        }
      }
      usleep(pause)
    }
  }

  @Test func `many teams at once finish`() async {
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<32 {
        group.addTask {
          let team = WorkerTeam(workerCount: 4)
          let done = Mutex(0)
          for _ in 0..<10 {
            team.region {
              for _ in 0..<10 {
                team.perform(blockCount: 8) { next in
                  while next() != nil { done.withLock { $0 += 1 } }
                }
              }
            }
          }
          return done.withLock { $0 }
        }
      }
      for await done in group { #expect(done == 800) }
    }
  }
}
