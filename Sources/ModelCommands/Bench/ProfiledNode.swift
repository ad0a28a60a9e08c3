// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import OptimizedKernels
import Tensors

/// What a node took and what it had to do, or what several did that are computed together.
struct ProfiledNode {
  let times: NodeProfile.Entry
  /// Element types and shapes of its inputs, as the last run had them; nil for absent ones.
  let inputs: [TensorType?]
  /// Those of its outputs.
  let outputs: [TensorType?]
  /// What an evaluation takes at least; nil where the node needed no kernel.
  let cost: NodeCost?
  /// The least time of an evaluation.
  let least: LeastTime?
  /// Milliseconds of a run without subgraphs that the node runs: the median.
  let milliseconds: Double
  /// The work of a run.
  let work: ProfiledWork

  /// The node that `times` are of; `tensors` are those of its subgraph.
  init(
    _ times: NodeProfile.Entry, of subgraph: ModelFile.Subgraph, _ tensors: GraphTensors,
    runCount: Int, limits: MachineLimits
  ) {
    self.times = times
    let group = NodeGroup(times.members.map { subgraph.nodes[$0] })
    func types(_ indices: [Int]) -> [TensorType?] {
      indices.map { tensors.types.indices.contains($0) ? tensors.types[$0] : nil }
    }
    inputs = types(group.inputs)
    outputs = types(group.outputs)
    let cost = times.kernelName == nil ? nil : NodeCost(group, tensors)
    self.cost = cost
    least = cost.flatMap { LeastTime($0, on: limits) }
    milliseconds = Timings(times.ownTimes).median
    work = ProfiledWork(
      cost, least, evaluations: Double(times.evaluations) / Double(max(runCount, 1)))
  }
}

/// The work of one or several nodes in a run.
struct ProfiledWork {
  /// nil where a node's are not known; likewise below.
  private(set) var multiplyAdds: Double? = 0
  private(set) var movedByteCount: Double? = 0
  /// The least milliseconds by what limits.
  private(set) var least: [LeastTime.Bound: Double]? = [:]

  /// No work.
  init() {}

  /// The work of a node that is evaluated so many times; none without a cost.
  init(_ cost: NodeCost?, _ least: LeastTime?, evaluations: Double) {
    guard let cost else { return }
    multiplyAdds = cost.multiplyAdds.map { Double($0) * evaluations }
    movedByteCount = cost.movedByteCount.map { Double($0) * evaluations }
    self.least = least.map { [$0.bound: $0.seconds * 1000 * evaluations] }
  }

  static func += (sum: inout ProfiledWork, other: ProfiledWork) {
    func added(_ left: Double?, _ right: Double?) -> Double? {
      left.flatMap { left in right.map { left + $0 } }
    }
    sum.multiplyAdds = added(sum.multiplyAdds, other.multiplyAdds)
    sum.movedByteCount = added(sum.movedByteCount, other.movedByteCount)
    sum.least = sum.least.flatMap { least in
      other.least.map { least.merging($0, uniquingKeysWith: +) }
    }
  }

  /// What limits most of the work; nil where there is none or some is not known.
  var bound: LeastTime.Bound? {
    least?.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key
  }

  /// Multiply-adds per second, in billions; nil where there are none.
  func gigaMACs(in milliseconds: Double) -> Double? {
    Self.rate(multiplyAdds, milliseconds)
  }

  /// Bytes per second, in billions.
  func gigabytes(in milliseconds: Double) -> Double? { Self.rate(movedByteCount, milliseconds) }

  /// How much of the limit is reached, in percent.
  func limitPercent(in milliseconds: Double) -> Double? {
    guard let least, !least.isEmpty, milliseconds > 0 else { return nil }
    return 100 * least.values.reduce(0, +) / milliseconds
  }

  private static func rate(_ count: Double?, _ milliseconds: Double) -> Double? {
    guard let count, count > 0, milliseconds > 0 else { return nil }
    return count / milliseconds / 1e6
  }
}
