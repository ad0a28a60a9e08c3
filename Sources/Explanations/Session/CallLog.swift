// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat

/// Counts the rounds of loops: what a `WHILE` leaves behind does not tell them.
final class CallLog: InferenceObserver {
  private let file: ModelFile
  /// How often each subgraph has run.
  private var runCounts: [Int: Int] = [:]
  /// How often each body had run when a loop with it ended last.
  private var countsBefore: [Int: Int] = [:]
  private var rounds: [VariableLog.Location: Int] = [:]

  init(_ file: ModelFile) { self.file = file }

  /// Forgets what was counted.
  func begin() {
    runCounts = [:]
    countsBefore = [:]
    rounds = [:]
  }

  /// The rounds of the latest evaluation of a loop; nil where it has not been evaluated.
  func rounds(ofNode node: Int, inSubgraph subgraph: Int) -> Int? {
    rounds[VariableLog.Location(subgraph: subgraph, node: node)]
  }

  func willRun(_ record: SubgraphRecord) { runCounts[record.subgraph, default: 0] += 1 }

  func didEvaluate(_ record: NodeRecord) {
    let node = file.subgraphs[record.subgraph].nodes[record.node]
    guard node.identity.code == .while, let options = try? node.options(as: WhileOptions.self)
    else { return }
    let body = Int(options.body)
    let count = runCounts[body] ?? 0
    rounds[VariableLog.Location(subgraph: record.subgraph, node: record.node)] =
      count - (countsBefore[body] ?? 0)
    countsBefore[body] = count
  }
}
