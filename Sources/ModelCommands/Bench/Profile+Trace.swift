// SPDX-License-Identifier: Apache-2.0

import JSONDocuments

extension Profile {
  /// How many evaluations a trace holds at most.
  static let traceLimit = 100_000

  /// The runs as a timeline in the Trace Event Format, which Perfetto and chrome://tracing show.
  ///
  /// One process with one thread, the interpreter's; runs hold the nodes of the main graph, and
  /// those the nodes of the subgraphs that they run. Times are in microseconds.
  func trace(model: String, _ computation: ComputationOptions) -> JSON {
    [
      "displayTimeUnit": "ms",
      "otherData": JSON.record(["program": "martlet", "model": .string(model)])
        .adding(computation.members),
      "traceEvents": .array(
        [
          Self.name("process_name", "martlet \(model)"), Self.name("thread_name", "interpreter"),
        ] + timeline),
    ]
  }

  /// Runs and evaluations by their beginning; of those that begin at once, the longest first.
  private var timeline: [JSON] {
    guard let origin = observed.runs.first?.start else { return [] }
    let nodes = Dictionary(
      nodes.map { ($0.times.location, $0) }, uniquingKeysWith: { first, _ in first })
    let events = (observed.runs + observed.events).sorted {
      ($0.start, $1.duration) < ($1.start, $0.duration)
    }
    var runCount = 0
    return events.compactMap { event in
      let name: String
      let arguments: JSON
      if let location = event.location {
        guard let node = nodes[location] else { return nil }
        (name, arguments) = (node.times.operatorName, node.traceArguments)
      } else {
        runCount += 1
        (name, arguments) = ("inference", ["run": .integer(runCount)])
      }
      return [
        "name": .string(name), "cat": event.location == nil ? "inference" : "node", "ph": "X",
        "ts": .number((event.start - origin).microseconds),
        "dur": .number(event.duration.microseconds), "pid": 1, "tid": 1,
        "args": arguments,
      ]
    }
  }

  private static func name(_ kind: String, _ name: String) -> JSON {
    ["name": .string(kind), "ph": "M", "pid": 1, "tid": 1, "args": ["name": .string(name)]]
  }
}

extension ProfiledNode {
  /// What a timeline shows about an evaluation.
  fileprivate var traceArguments: JSON {
    JSON.record([
      "operator": .string(times.operatorName), "subgraph": .integer(times.location.subgraph),
      "node": .integer(times.location.node), "members": times.membersJSON,
      "kernel": times.kernelName.map { .string($0) },
    ]).adding(workMembers)
  }
}

extension Duration {
  /// The duration in microseconds, to the nanosecond.
  fileprivate var microseconds: Double {
    let (seconds, attoseconds) = components
    return (Double(seconds) * 1e9 + Double(attoseconds / 1_000_000_000)) / 1000
  }
}
