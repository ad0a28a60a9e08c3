// SPDX-License-Identifier: Apache-2.0

import Formatting
import Martlet

/// How long each node took in the runs that it observed; nodes that are computed together count as
/// one.
final class NodeProfile: InferenceObserver {
  /// A node of a subgraph.
  struct Location: Hashable, Comparable {
    let subgraph: Int
    let node: Int

    static func < (left: Location, right: Location) -> Bool {
      (left.subgraph, left.node) < (right.subgraph, right.node)
    }
  }

  /// What is known about a node; times in milliseconds.
  struct Entry {
    let location: Location
    /// The nodes that were computed together, of which this is the last.
    let members: [Int]
    let operatorName: String
    var kernelName: String?
    /// Evaluations of all runs.
    var evaluations = 0
    /// The time of all runs, with subgraphs that the node ran.
    var total = 0.0
    /// The fastest evaluation.
    var fastest = Double.infinity
    /// Each run's time without subgraphs that the node ran.
    var ownTimes: [Double] = []
  }

  /// One evaluation, or one run.
  struct Event {
    let start: ContinuousClock.Instant
    let duration: Duration
    /// The node; nil for a run.
    let location: Location?
  }

  /// The runs.
  private(set) var runs: [Event] = []
  /// Evaluations in the order in which they ended: the first ones, if they are to be kept.
  private(set) var events: [Event] = []
  /// Evaluations that were not kept.
  private(set) var droppedEventCount = 0

  private let eventLimit: Int
  private var byLocation: [Location: Entry] = [:]
  /// What the nodes of each subgraph took since it was called last, with observing them.
  private var called: [Int: (start: ContinuousClock.Instant, duration: Duration)] = [:]

  /// An observer that keeps so many single evaluations.
  init(eventLimit: Int = 0) { self.eventLimit = eventLimit }

  /// The nodes in the order of the model.
  var entries: [Entry] {
    byLocation.values.sorted { $0.location < $1.location }.map { entry in
      var entry = entry
      entry.ownTimes += Array(repeating: 0, count: runs.count - entry.ownTimes.count)
      return entry
    }
  }

  /// Does a run, whose nodes belong together.
  func observe<Failure: Error>(_ run: () throws(Failure) -> Void) throws(Failure) {
    called = [:]
    let clock = ContinuousClock()
    let start = clock.now
    try run()
    runs.append(Event(start: start, duration: clock.now - start, location: nil))
  }

  var seesEveryNode: Bool { false }

  func didEvaluate(_ record: NodeRecord) {
    let location = Location(subgraph: record.subgraph, node: record.node)
    if events.count < eventLimit {
      events.append(Event(start: record.start, duration: record.duration, location: location))
    } else {
      droppedEventCount += 1
    }
    var entry =
      byLocation[location]
      ?? Entry(location: location, members: record.members, operatorName: record.operatorName)
    entry.kernelName = record.kernelName ?? entry.kernelName
    entry.evaluations += 1
    entry.total += record.duration.milliseconds
    entry.fastest = min(entry.fastest, record.duration.milliseconds)
    entry.ownTimes += Array(repeating: 0, count: runs.count + 1 - entry.ownTimes.count)
    entry.ownTimes[runs.count] += ownTime(of: record).milliseconds
    byLocation[location] = entry
    let passed = ContinuousClock().now - record.start
    called[location.subgraph, default: (record.start, .zero)].duration += passed
  }

  /// How long a node took without the subgraphs that it ran: those whose nodes began after it and
  /// have ended before.
  private func ownTime(of record: NodeRecord) -> Duration {
    var own = record.duration
    for (subgraph, nodes) in called
    where subgraph != record.subgraph && nodes.start >= record.start {
      own -= nodes.duration
      called[subgraph] = nil
    }
    return max(own, .zero)
  }
}
