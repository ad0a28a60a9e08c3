// SPDX-License-Identifier: Apache-2.0

import Formatting
import Martlet
import ModelChecks
import ModelFormat
import ModelSummaries
import Tensors
import VisionTasks

extension ModelSummary {
  /// The summary for a reader.
  func text(
    _ metadata: MetadataReport, fits: [TaskFit], tensors: Bool, memory: Bool
  ) -> String {
    var sections = [heading, interface, operatorText, workText]
    if let text = metadata.text(inDetail: false) { sections.append(text) }
    sections += fits.reasons
    if tensors { sections += file.subgraphs.indices.map(tensorText) }
    if memory, let plan = interpreter.flatMap(PlanSummary.init) {
      sections.append(memoryText(plan))
    }
    return sections.joined(separator: "\n\n")
  }

  private var heading: String {
    var lines = [path.printable, "\(file.byteCount.byteText), schema \(file.version)"]
    if !file.description.isEmpty { lines.append(file.description.printable.narrow) }
    if let problem {
      let location = problem.location.isEmpty ? "" : " (\(problem.location))"
      if case .unsupportedOperator(PoseNetDecoder.customOperator) = problem.reason {
        lines.append("runs with 'martlet pose' alone, which brings its last operator")
      } else {
        lines.append("cannot run: \(problem.sentence)\(location)".narrow)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Inputs, outputs and signatures.
  private var interface: String {
    let graph = file.subgraphs[0]
    let types = types(ofSubgraph: 0)
    func rows(_ tensors: [Int]) -> String {
      // Command lines name inputs: their names stand there whole.
      tensors.enumerated().map { position, tensor in
        let type =
          types[tensor]?.description ?? "\(graph.tensors[tensor].type.elementType.schemaName) ?"
        let quantization = Self.text(graph.tensors[tensor].type.quantization)
        return "  \(position)  \(graph.tensors[tensor].name.printable)\n"
          + "     \(type)\(quantization.isEmpty ? "" : "  \(quantization)")".narrow
      }.joined(separator: "\n")
    }
    var lines = ["inputs", rows(graph.inputs), "outputs", rows(graph.outputs)]
    if !file.signatures.isEmpty { lines.append("signatures") }
    for signature in file.signatures {
      func names(_ arguments: [ModelFile.Signature.Argument]) -> String {
        arguments.map(\.name.printable).joined(separator: ", ")
      }
      let (inputs, outputs) = ("(\(names(signature.inputs)))", "→ (\(names(signature.outputs)))")
      let fits = 5 + inputs.count + outputs.count <= String.narrowLineLength
      lines += [
        "  \(signature.key.printable)  subgraph \(signature.subgraph)",
        "    \(inputs)\(fits ? " " : "\n    ")\(outputs)".narrow,
      ]
    }
    return lines.joined(separator: "\n")
  }

  private var operatorText: String {
    let rows = operators.map { use in
      [
        "  \(use.identity.name.printable) v\(use.identity.version)", "\(use.count)",
        use.isSupported
          ? ""
          : use.identity.customName == PoseNetDecoder.customOperator
            ? "of 'martlet pose'" : "not supported",
      ]
    }
    let nodeCount = file.subgraphs.reduce(0) { $0 + $1.nodes.count }
    let subgraphs = file.subgraphs.count == 1 ? "" : " in \(file.subgraphs.count) subgraphs"
    let heading = "\(nodeCount) operator\(nodeCount == 1 ? "" : "s")\(subgraphs)"
    return rows.isEmpty ? heading : heading + "\n" + TextTable(rows, left: [0, 2]).text
  }

  private var workText: String {
    var rows = [["weights", weightByteCount.byteText]]
    if let total = totalMACs(ofSubgraph: 0) {
      rows.insert(["multiply-accumulates", Self.text(millions: total)], at: 0)
    }
    if let summary = interpreter.flatMap(PlanSummary.init) {
      rows.append(["arena", summary.arenaByteCount.byteText])
      rows.append(["  at least", summary.arenaLowerBound.byteText])
      for (state, label) in [
        (PlanSummary.NodeState.folded, "nodes folded into constants"),
        (.shared, "nodes that share memory"), (.deferred, "nodes planned in every run"),
        (.fused, "nodes computed with a later one"),
      ] {
        let nodes = summary.nodes(state)
        if !nodes.isEmpty { rows.append([label, "\(nodes.count)"]) }
      }
      for (name, count) in joinedOperators(summary) { rows.append(["  \(name)", "\(count)"]) }
      let optimizedKernels = summary.nodes.count(where: \.isOptimized)
      rows.append(["nodes with optimized kernels", "\(optimizedKernels) of \(summary.nodes.count)"])
    }
    return TextTable(rows, left: [0, 1]).text
  }

  /// The operators of nodes that are computed together, and how often they are.
  private func joinedOperators(_ plan: PlanSummary) -> [(name: String, count: Int)] {
    var counts: [String: Int] = [:]
    for node in plan.nodes where node.members.count > 1 {
      let names = node.members.map { file.subgraphs[0].nodes[$0].identity.name }
      counts[names.joined(separator: " + "), default: 0] += 1
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  private func tensorText(_ subgraph: Int) -> String {
    let types = types(ofSubgraph: subgraph)
    let rows = file.subgraphs[subgraph].tensors.enumerated().map { index, tensor in
      [
        "  \(index)", types[index]?.description ?? tensor.type.elementType.schemaName,
        role(ofTensor: index, inSubgraph: subgraph), tensor.name.printable,
      ]
    }
    let table = TextTable(rows, left: [1, 2, 3], shortening: [3]).rowTexts
    let quantizations = file.subgraphs[subgraph].tensors.map { Self.text($0.type.quantization) }
    return "tensors of subgraph \(subgraph)\n"
      + zip(table, quantizations).map { $1.isEmpty ? $0 : "\($0)\n        \($1)" }
      .joined(separator: "\n")
  }

  private func memoryText(_ plan: PlanSummary) -> String {
    let rows =
      [["  offset", "bytes", "nodes", "tensor"]]
      + plan.locations.map { location in
        [
          "  \(location.offset)", "\(location.byteCount)",
          "\(location.lifetime.lowerBound)–\(location.lifetime.upperBound)",
          "\(location.tensor) \(file.subgraphs[0].tensors[location.tensor].name.printable)",
        ]
      }
    return "arena\n" + TextTable(rows, left: [3], shortening: [3]).text
  }

  private static func text(millions count: Int) -> String {
    count < 100_000 ? "\(count)" : "\((Double(count) / 1e6).short(4)) million"
  }

  private static func text(_ quantization: Quantization?) -> String {
    guard let quantization else { return "" }
    if let affine = quantization.perTensor {
      return "scale \(affine.scale), zero point \(affine.zeroPoint)"
    }
    return "\(quantization.scaleCount) scales along axis \(quantization.axis)"
  }
}
