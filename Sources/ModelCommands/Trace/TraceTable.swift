// SPDX-License-Identifier: Apache-2.0

import Formatting
import ModelFormat
import Tensors
import Traces

/// A trace for a reader: a line for each tensor, in the order in which they got their values.
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

  var text: String {
    let heading = [
      "node", "operator", "ms", "tensor", "min", "max", "mean", "std", "zeros %", "saturated %",
      "NaN, infinite", "name",
    ]
    let table = TextTable([heading] + trace.tensors.map(row), left: [0, 1, 3, 11]).text
    let cut = trace.subgraphs.filter { $0.recordedCount < $0.invocationCount }.map {
      "subgraph \($0.index) ran \($0.invocationCount) times, of which the first "
        + "\($0.recordedCount) are recorded; --invocations says how many"
    }
    return ([table] + cut).joined(separator: "\n")
  }

  private func row(_ tensor: Trace.Tensor) -> [String] {
    let location = tensor.location
    let node = tensor.node.flatMap { nodes[[location.subgraph, location.invocation, $0]] }
    var cells = [
      Self.label(location, node: tensor.node), node?.operatorName.printable ?? "input",
      node.map { $0.duration.milliseconds.fixed(3) } ?? "", "\(tensor.type)",
    ]
    if let statistics = tensor.statistics {
      let count = Double(max(statistics.elementCount, 1))
      let saturated = statistics.saturation.map { $0.lowest + $0.highest }
      cells += [
        statistics.minimum, statistics.maximum, statistics.mean, statistics.standardDeviation,
      ].map { $0?.short(4) ?? "" }
      cells += [
        (100 * Double(statistics.zeroCount) / count).fixed(1),
        saturated.map { (100 * Double($0) / count).fixed(1) } ?? "",
        "\(statistics.nanCount + statistics.infinityCount)",
      ]
    } else {
      cells += Array(repeating: "", count: 7)
    }
    return cells + [tensor.name.printable]
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
