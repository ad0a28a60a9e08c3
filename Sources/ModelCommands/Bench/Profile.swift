// SPDX-License-Identifier: Apache-2.0

import Formatting
import Martlet
import ModelFormat
import OptimizedKernels

/// Where the time of a model goes.
struct Profile {
  /// What was observed.
  let observed: NodeProfile
  /// What the machine can do at most.
  let limits: MachineLimits
  /// The nodes in the order of the model.
  let nodes: [ProfiledNode]

  /// What `observed` saw of the interpreter's runs.
  init(_ observed: NodeProfile, _ interpreter: Interpreter, _ limits: MachineLimits) {
    self.observed = observed
    self.limits = limits
    let file = interpreter.model.file
    var tensors: [Int: GraphTensors] = [:]
    nodes = observed.entries.map { entry in
      let subgraph = file.subgraphs[entry.location.subgraph]
      let known =
        tensors[entry.location.subgraph]
        ?? interpreter.table(ofSubgraph: entry.location.subgraph).map { GraphTensors($0) }
        ?? GraphTensors(subgraph, of: file)
      tensors[entry.location.subgraph] = known
      return ProfiledNode(
        entry, of: subgraph, known, runCount: observed.runs.count, limits: limits)
    }
  }

  /// Nodes of one operator that the same kernel computes, or groups of nodes likewise.
  struct Kind {
    let operatorName: String
    /// nil where no kernel was needed.
    let kernelName: String?
    var count = 0
    /// Milliseconds of a run.
    var milliseconds = 0.0
    /// The work of a run.
    var work = ProfiledWork()
  }

  /// The milliseconds of all nodes in a run.
  var milliseconds: Double { nodes.reduce(0) { $0 + $1.milliseconds } }

  /// The work of all nodes in a run.
  var work: ProfiledWork {
    nodes.reduce(into: ProfiledWork()) { $0 += $1.work }
  }

  /// The part of the nodes' time that `milliseconds` are, in percent.
  func share(_ milliseconds: Double) -> Double {
    let total = self.milliseconds
    return total > 0 ? 100 * milliseconds / total : 0
  }

  /// The operators and kernels by falling time.
  var kinds: [Kind] {
    var kinds: [[String?]: Kind] = [:]
    for node in nodes {
      let (name, kernel) = (node.times.operatorName, node.times.kernelName)
      var kind = kinds[[name, kernel]] ?? Kind(operatorName: name, kernelName: kernel)
      kind.count += 1
      kind.milliseconds += node.milliseconds
      kind.work += node.work
      kinds[[name, kernel]] = kind
    }
    return kinds.values.sorted {
      ($1.milliseconds, $0.operatorName, $0.kernelName ?? "")
        < ($0.milliseconds, $1.operatorName, $1.kernelName ?? "")
    }
  }

  /// The nodes by falling time.
  var slowest: [ProfiledNode] {
    nodes.sorted { ($1.milliseconds, $0.times.location) < ($0.milliseconds, $1.times.location) }
  }
}
