// SPDX-License-Identifier: Apache-2.0

import Formatting
import ModelFormat
import Tensors
import Traces

/// A trace for a reader: the tensors in the order in which they got their values.
struct TraceTable {
  private let trace: Trace
  /// The nodes by subgraph, invocation and index.
  private let nodes: [[Int]: Trace.Node]

  init(_ trace: Trace) {
    self.trace = trace
    nodes = Dictionary(
      trace.nodes.map { ([$0.subgraph, $0.invocation, $0.node], $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// A table of nodes, and one of the values, with the same rows.
  var text: String {
    let nodes = TextTable(
      [["node", "operator", "ms", "tensor", "type"]] + trace.tensors.map(nodeRow),
      left: [0, 1, 4], shortening: [1])
    let values = TextTable(
      [["node", "min", "max", "mean", "std", "0 %", "sat %"]] + trace.tensors.map(valueRow))
    let cut = trace.subgraphs.filter { $0.recordedCount < $0.invocationCount }.map {
      "subgraph \($0.index) ran \($0.invocationCount) times, of which the first "
        + "\($0.recordedCount) are recorded; --invocations says how many"
    }
    return
      ([nodes.text, "", values.text] + trace.tensors.compactMap(notFinite) + cut.map(\.narrow))
      .joined(separator: "\n")
  }

  private func label(_ tensor: Trace.Tensor) -> String {
    Self.label(tensor.location, node: tensor.node)
  }

  private func nodeRow(_ tensor: Trace.Tensor) -> [String] {
    let location = tensor.location
    let node = tensor.node.flatMap { nodes[[location.subgraph, location.invocation, $0]] }
    return [
      label(tensor), node?.operatorName.printable ?? "input",
      node.map { $0.duration.milliseconds.fixed(3) } ?? "", "\(location.tensor)", "\(tensor.type)",
    ]
  }

  /// The range of the values, and percents of those that are zero, and of those that are the least
  /// or the largest of their type.
  private func valueRow(_ tensor: Trace.Tensor) -> [String] {
    guard let statistics = tensor.statistics else { return [label(tensor)] }
    let count = Double(max(statistics.elementCount, 1))
    let saturated = statistics.saturation.map { $0.lowest + $0.highest }
    let moments = [
      statistics.minimum, statistics.maximum, statistics.mean, statistics.standardDeviation,
    ].map { $0?.short(upTo: 8) ?? "" }
    let zeros = (100 * Double(statistics.zeroCount) / count).fixed(1)
    let extremes = saturated.map { (100 * Double($0) / count).fixed(1) } ?? ""
    return [label(tensor)] + moments + [zeros, extremes]
  }

  /// What is said of a tensor that has NaN or infinite values.
  private func notFinite(_ tensor: Trace.Tensor) -> String? {
    guard let statistics = tensor.statistics,
      statistics.nanCount + statistics.infinityCount > 0
    else { return nil }
    return "node \(label(tensor)): \(statistics.nanCount) NaN, "
      + "\(statistics.infinityCount) infinite"
  }

  /// How a node is called in tables; nil stands for an input.
  ///
  /// It is `12` in the main graph, `2:5` in another subgraph, and `2:5 #3` in its fourth run.
  static func label(_ location: TensorLocation, node: Int?) -> String {
    let index = node.map(String.init) ?? "–"
    guard location.subgraph != 0 || location.invocation != 0 else { return index }
    let run = location.invocation == 0 ? "" : " #\(location.invocation)"
    return "\(location.subgraph):\(index)\(run)"
  }
}
