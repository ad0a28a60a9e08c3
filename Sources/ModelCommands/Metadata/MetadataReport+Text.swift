// SPDX-License-Identifier: Apache-2.0

import Formatting
import MetadataDocuments
import MetadataFormat
import ModelFormat

extension MetadataReport {
  /// The metadata and files for a reader; nil where there is neither.
  ///
  /// In detail, there are descriptions, ranges, groups and other entries, too.
  func text(inDetail isDetailed: Bool) -> String? {
    let limit = Self.textLimit(inDetail: isDetailed)
    var lines: [String] = []
    if let metadata {
      lines.append("metadata")
      let parser = isDetailed ? metadata.minimumParserVersion : nil
      for (label, value) in [
        ("name", metadata.name), ("description", metadata.description),
        ("version", metadata.version), ("author", metadata.author),
        ("license", metadata.license), ("parser version", parser),
      ] {
        if let value { lines.append("  \(label): \(value.printable(upTo: limit))") }
      }
      if isDetailed { lines += metadata.associatedFiles.map { "  \(Self.text($0))" } }
      for (index, subgraph) in metadata.subgraphs.enumerated() where isDetailed || index == 0 {
        lines += Self.lines(subgraph, index, inDetail: isDetailed)
      }
    }
    if let problem { lines.append("metadata cannot be read: \(problem)") }
    if !files.isEmpty {
      lines.append("files")
      lines += files.map { file in
        let count = file.lines.map { ", \($0.count) lines" } ?? ""
        return "  \(file.name.printable)  \(file.byteCount.byteText)\(count)"
      }
    }
    if isDetailed, !entries.isEmpty {
      lines.append("other entries")
      lines += entries.map { entry in
        let size = entry.byteCount?.byteText ?? "no buffer \(entry.buffer)"
        return "  \(entry.name.printable)  \(size)" + (entry.text.map { ", \($0)" } ?? "")
      }
    }
    return lines.isEmpty ? nil : lines.map(\.narrow).joined(separator: "\n")
  }

  /// The most characters of a text.
  private static func textLimit(inDetail isDetailed: Bool) -> Int { isDetailed ? 2000 : 80 }

  private static func lines(
    _ subgraph: SubgraphMetadata, _ index: Int, inDetail isDetailed: Bool
  ) -> [String] {
    var lines: [String] = []
    if isDetailed {
      if index > 0 { lines.append("  subgraph \(index)") }
      for (label, value) in [
        ("graph", subgraph.name), ("graph's description", subgraph.description),
      ] {
        if let value {
          lines.append("  \(label): \(value.printable(upTo: textLimit(inDetail: true)))")
        }
      }
      lines += subgraph.associatedFiles.map { "  \(text($0))" }
    }
    lines += Self.lines("input", subgraph.inputs, inDetail: isDetailed)
    lines += Self.lines("output", subgraph.outputs, inDetail: isDetailed)
    guard isDetailed else { return lines }
    for (label, units) in [
      ("inputs", subgraph.inputProcessUnits), ("outputs", subgraph.outputProcessUnits),
    ] where !units.isEmpty {
      lines.append("  \(label): " + units.map(text).joined(separator: ", "))
    }
    for (label, groups) in [
      ("input", subgraph.inputGroups), ("output", subgraph.outputGroups),
    ] {
      lines += groups.map { group in
        "  \(label) group \((group.name ?? "").printable): "
          + group.tensorNames.map(\.printable).joined(separator: ", ")
      }
    }
    lines += subgraph.customMetadata.map { custom in
      "  custom \((custom.name ?? "").printable): \(custom.data.count.byteText)"
    }
    return lines
  }

  private static func lines(
    _ kind: String, _ tensors: [TensorMetadata], inDetail isDetailed: Bool
  ) -> [String] {
    tensors.enumerated().flatMap { position, tensor -> [String] in
      var parts = [tensor.name?.printable, tensor.content?.words].compactMap { $0 }
      parts += tensor.processUnits.map(text)
      if isDetailed, let stats = tensor.stats, !(stats.minimum + stats.maximum).isEmpty {
        parts.append("values \(list(stats.minimum)) to \(list(stats.maximum))")
      }
      if isDetailed, !tensor.dimensionNames.isEmpty {
        parts.append("[\(tensor.dimensionNames.map(\.printable).joined(separator: ", "))]")
      }
      parts += tensor.associatedFiles.map(text)
      var lines = ["  \(kind) \(position): " + parts.joined(separator: ", ")]
      if isDetailed, let description = tensor.description {
        lines.append("    \(description.printable(upTo: textLimit(inDetail: true)))")
      }
      return lines
    }
  }

  private static func list(_ values: [Float]) -> String {
    values.map { "\($0)" }.joined(separator: " ")
  }

  private static func text(_ file: AssociatedFile) -> String {
    "\(file.kind.word) \((file.name ?? "").printable)"
      + (file.locale.map { " (\($0.printable))" } ?? "")
  }

  private static func text(_ unit: ProcessUnit) -> String {
    switch unit {
    case .normalization(let options):
      "mean \(list(options.mean)), std \(list(options.standardDeviation))"
    case .scoreCalibration(let options): "score calibration, \(options.transformation)"
    case .scoreThresholding(let options): "scores from \(options.globalScoreThreshold)"
    case .bertTokenizer: "BERT tokenizer"
    case .sentencePieceTokenizer: "SentencePiece tokenizer"
    case .regexTokenizer(let options):
      "tokenizer \((options.delimiterPattern ?? "").printable)"
    case .unknown(let number): "unknown process unit \(number)"
    }
  }
}
