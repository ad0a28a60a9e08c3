// SPDX-License-Identifier: Apache-2.0

import Formatting
import Martlet
import ModelFormat

/// Which parts a command line asks for, and where they go.
struct ExtractionRequest {
  /// The kinds of parts.
  private enum Kind {
    case nodes([ClosedRange<Int>])
    case between(inputs: String?, outputs: String?)
    case all(distinct: Bool, operators: [String])
  }

  private let kind: Kind
  private let subgraph: Int?
  /// The folder for the files of all nodes; nil where there is one file.
  let folder: String?
  private let file: String

  init(_ arguments: ParsedArguments) throws(CommandError) {
    let (inputs, outputs) = (arguments.value("inputs"), arguments.value("outputs"))
    var kinds: [Kind] = []
    if let text = arguments.value("node") {
      guard let node = Int(text), node >= 0 else {
        throw arguments.usage("'\(text)' for '--node', wanted a number from 0")
      }
      kinds.append(.nodes([node...node]))
    }
    if let text = arguments.value("nodes") {
      kinds.append(.nodes(try Self.ranges(text, arguments)))
    }
    if inputs != nil || outputs != nil { kinds.append(.between(inputs: inputs, outputs: outputs)) }
    let operators = arguments.allValues("operator")
    if arguments.flag("all") {
      kinds.append(.all(distinct: arguments.flag("unique"), operators: operators))
    } else if arguments.flag("unique") || !operators.isEmpty {
      throw arguments.usage("--unique and --operator choose among the nodes of --all")
    }
    guard kinds.count == 1, let kind = kinds.first else {
      throw arguments.usage(
        kinds.isEmpty
          ? "nothing to extract: --node, --nodes, --inputs and --outputs, or --all"
          : "only one of --node, --nodes, --inputs with --outputs, and --all")
    }
    self.kind = kind
    subgraph = try arguments.value("subgraph").map { _ throws(CommandError) in
      try arguments.integer("subgraph", default: 0, in: 0...Int.max)
    }
    if case .all = kind {
      guard let folder = arguments.value("output-dir") else {
        throw arguments.usage("--all without '--output-dir'")
      }
      guard arguments.value("output") == nil else {
        throw arguments.usage("--output beside --all, whose files --output-dir holds")
      }
      (self.folder, file) = (folder, "")
    } else {
      guard arguments.value("output-dir") == nil else {
        throw arguments.usage("--output-dir without --all")
      }
      (folder, file) = (nil, try arguments.output())
      if file == "-", arguments.flag("record") {
        throw arguments.usage("--record beside --output -, which has no folder")
      }
    }
  }

  /// Numbers and ranges, as `3,7-9`.
  private static func ranges(
    _ text: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
        first <= last
      else { throw arguments.usage("'\(text)' for '--nodes', wanted 3,7-9") }
      ranges.append(first...last)
    }
    return ranges
  }

  /// The parts of `model` and the files that they go to.
  func parts(
    of model: Model, at path: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> [(part: ModelPart, file: String)] {
    let index = subgraph ?? Self.subgraph(of: arguments.value("signature"), in: model)
    do throws(ExtractionError) {
      guard model.file.subgraphs.indices.contains(index) else {
        throw ExtractionError.noSuchSubgraph(index, count: model.file.subgraphs.count)
      }
      let graph = model.file.subgraphs[index]
      switch kind {
      case .nodes(let ranges):
        // A range beyond the last node is refused before its numbers are listed.
        for node in ranges.map(\.upperBound) where node >= graph.nodes.count {
          throw ExtractionError.noSuchNode(node, subgraph: index, count: graph.nodes.count)
        }
        return [(try model.part(nodes: ranges.flatMap(Array.init), ofSubgraph: index), file)]
      case .between(let inputs, let outputs):
        let part = try model.part(
          from: try Self.tensors(inputs, of: graph, index),
          to: try Self.tensors(outputs, of: graph, index), ofSubgraph: index)
        return [(part, file)]
      case .all(let distinct, let operators):
        let parts = try model.singleNodes(ofSubgraph: index, distinct: distinct)
        let chosen = Self.named(parts, graph, operators, in: folder ?? "")
        guard !chosen.isEmpty else { throw ExtractionError.noNodes }
        return chosen
      }
    } catch {
      throw arguments.usage("\(error)", hint: "martlet inspect --tensors lists nodes and tensors")
    }
  }

  /// Single nodes, in files such as `012_CONV_2D.tflite`.
  private static func named(
    _ parts: [ModelPart], _ graph: ModelFile.Subgraph, _ operators: [String], in folder: String
  ) -> [(part: ModelPart, file: String)] {
    let digits = max(3, "\(graph.nodes.count - 1)".count)
    return parts.compactMap { part in
      guard let node = part.chosenNodes.first else { return nil }
      let name = graph.nodes[node].identity.name
      guard operators.isEmpty || operators.contains(name) else { return nil }
      let number = "\(node)"
      let padded = String(repeating: "0", count: digits - number.count) + number
      let word = String(name.percentEncoded().prefix(100))
      return (part, "\(folder)/\(padded)_\(word).tflite")
    }
  }

  /// Tensors by name or index; nil where none are given.
  private static func tensors(
    _ text: String?, of graph: ModelFile.Subgraph, _ subgraph: Int
  ) throws(ExtractionError) -> [Int]? {
    guard let text else { return nil }
    // A name may contain commas itself.
    if let tensor = graph.tensorIndex(called: text) { return [tensor] }
    var tensors: [Int] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let tensor = graph.tensorIndex(called: String(name)) else {
        throw .noSuchTensor(String(name), subgraph: subgraph, count: graph.tensors.count)
      }
      if !tensors.contains(tensor) { tensors.append(tensor) }
    }
    return tensors
  }

  /// The subgraph that runs.
  private static func subgraph(of signature: String?, in model: Model) -> Int {
    model.file.signatures.first { $0.key == signature }?.subgraph ?? 0
  }
}
