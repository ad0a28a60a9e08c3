// SPDX-License-Identifier: Apache-2.0

import Martlet
import Verification

/// How long each node took, summed over the runs that it observed.
final class NodeProfile: InferenceObserver {
  /// A node's sums.
  struct Entry {
    let subgraph: Int
    let node: Int
    let operatorName: String
    var kernelName: String?
    var milliseconds = 0.0
    /// The fastest evaluation.
    var minimum = Double.infinity
    var evaluations = 0
  }

  private struct Key: Hashable {
    let subgraph: Int
    let node: Int
  }

  private var byNode: [Key: Entry] = [:]

  var seesEveryNode: Bool { false }

  func didEvaluate(_ record: NodeRecord) {
    let key = Key(subgraph: record.subgraph, node: record.node)
    var entry =
      byNode[key]
      ?? Entry(
        subgraph: record.subgraph, node: record.node, operatorName: record.operatorName)
    entry.kernelName = record.kernelName ?? entry.kernelName
    entry.milliseconds += record.duration.milliseconds
    entry.minimum = min(entry.minimum, record.duration.milliseconds)
    entry.evaluations += 1
    byNode[key] = entry
  }

  /// The nodes in the order of the model.
  var entries: [Entry] {
    byNode.values.sorted { ($0.subgraph, $0.node) < ($1.subgraph, $1.node) }
  }

  /// The nodes and the operators for a reader, per run.
  func text(runs: Int) -> String {
    let total = entries.reduce(0) { $0 + $1.milliseconds }
    func share(_ milliseconds: Double) -> [String] {
      [
        (milliseconds / Double(max(runs, 1))).fixed(4),
        (total > 0 ? 100 * milliseconds / total : 0).fixed(1),
      ]
    }
    let nodes = entries.map { entry in
      ["\(entry.subgraph)", "\(entry.node)", entry.operatorName] + share(entry.milliseconds)
        + [entry.kernelName ?? ""]
    }
    let operators = byOperator.map { [$0.name, "\($0.nodes)"] + share($0.milliseconds) }
    return TextTable(
      [["subgraph", "node", "operator", "ms", "%", "kernel"]] + nodes, left: [2, 5]
    ).text + "\n\n" + TextTable([["operator", "nodes", "ms", "%"]] + operators).text
  }

  /// The operators by falling time.
  private var byOperator: [(name: String, nodes: Int, milliseconds: Double)] {
    var sums: [String: (nodes: Int, milliseconds: Double)] = [:]
    for entry in entries {
      let sum = sums[entry.operatorName] ?? (0, 0)
      sums[entry.operatorName] = (sum.nodes + 1, sum.milliseconds + entry.milliseconds)
    }
    return sums.map { ($0.key, $0.value.nodes, $0.value.milliseconds) }
      .sorted { ($1.2, $0.0) < ($0.2, $1.0) }
  }

  /// The nodes for a program, per run.
  func json(runs: Int) -> JSON {
    .array(
      entries.map { entry in
        .record([
          "subgraph": .integer(entry.subgraph), "node": .integer(entry.node),
          "operator": .string(entry.operatorName),
          "kernel": entry.kernelName.map { .string($0) },
          "evaluations": .integer(entry.evaluations),
          "ms": .number(entry.milliseconds / Double(max(runs, 1))),
          "min_ms": .number(entry.minimum),
        ])
      })
  }
}
