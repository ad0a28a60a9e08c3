// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import ModelFormat
import RunComparisons
import Tensors

/// A comparison for a reader or a program.
struct ComparisonReport {
  let comparison: RunComparison
  let mode: RunComparison.Mode
  let limits: [DifferenceLimit]
  let options: ComparisonOptions
  let seeksCulprit: Bool
  let listsAll: Bool

  /// Where limits are broken.
  var failures: [RunComparison.Failure] { comparison.failures(of: limits, mode) }

  /// The report for a program.
  var json: JSON {
    JSON.record(["mode": .string(mode.rawValue)]).adding(comparison.json(mode, limits: limits))
  }

  /// What the comparison shows, then a table of the tensors that differ, or of all.
  var text: String {
    let shown = comparison.tensors.filter { listsAll || isListed($0) }
    let summary = (findings + failures.map(line)).map(\.narrow).joined(separator: "\n")
    guard !shown.isEmpty else { return summary }
    let rest = comparison.tensors.count - shown.count
    let more = rest == 0 ? [] : ["\(rest) more tensor\(rest == 1 ? "" : "s"): --all lists all"]
    return ([summary, "", table(shown)] + more).joined(separator: "\n")
  }

  /// Whether a tensor differs, also in its shape.
  private func isListed(_ tensor: RunComparison.Tensor) -> Bool {
    guard let difference = tensor.difference(mode) else { return tensor.referenceType != nil }
    return difference.differingCount > 0 || (tensor.isolated?.differingCount ?? 0) > 0
  }

  private func table(_ tensors: [RunComparison.Tensor]) -> String {
    guard listsAll else {
      return TextTable(
        [["node", "operator", "differing", "max abs", "SNR dB"] + (showsBoth ? ["alone"] : [])]
          + tensors.map { [label($0), $0.operatorName.printable] + differenceCells($0) },
        left: [0, 1], shortening: [1]
      ).text + notes(tensors)
    }
    let nodes = TextTable(
      [["node", "operator", "type"]]
        + tensors.map { [label($0), $0.operatorName.printable, "\($0.type)"] },
      left: [0, 1, 2], shortening: [1])
    let names = TextTable(
      [["node", "name"]] + tensors.map { [label($0), $0.name.printable] }, left: [0, 1],
      endsInNames: true)
    let metrics = ["differing", "max abs", "quanta", "MSE", "SNR dB"]
    let others = ["PSNR dB", "cosine", "KL"] + (showsBoth ? ["alone: differing", "max abs"] : [])
    return [
      nodes.text, TextTable([["node"] + metrics] + tensors.map(metricRow)).text,
      TextTable([["node"] + others] + tensors.map(otherRow)).text, names.text,
    ].joined(separator: "\n\n") + notes(tensors)
  }

  /// Whether nodes were computed by themselves beside what the table shows.
  private var showsBoth: Bool { mode == .cumulative && options.isolation != .none }

  private func label(_ tensor: RunComparison.Tensor) -> String {
    TraceTable.label(tensor.location, node: tensor.node)
  }

  /// What is special about tensors, a line for each reason.
  private func notes(_ tensors: [RunComparison.Tensor]) -> String {
    var labels: [String: [String]] = [:]
    for tensor in tensors {
      if let note = tensor.note { labels[note, default: []].append(label(tensor)) }
    }
    return labels.sorted { $0.key < $1.key }.map { note, labels in
      "\n" + "\(note): node \(labels.joined(separator: ", "))".narrow
    }.joined()
  }

  private func differenceCells(_ tensor: RunComparison.Tensor) -> [String] {
    let difference = tensor.difference(mode)
    return [
      difference.map { "\($0.differingCount)/\($0.elementCount)" } ?? "",
      difference?.maximum?.short(upTo: 9) ?? "", difference?.signalToNoise?.short(4) ?? "",
    ] + (showsBoth ? [tensor.isolated.map { "\($0.differingCount)" } ?? ""] : [])
  }

  private func metricRow(_ tensor: RunComparison.Tensor) -> [String] {
    guard let difference = tensor.difference(mode) else { return [label(tensor)] }
    return [
      label(tensor), "\(difference.differingCount)/\(difference.elementCount)",
      difference.maximum?.short(upTo: 9) ?? "",
      difference.maximumQuanta.map { Double($0).short(4) } ?? "",
      difference.meanSquare?.short(upTo: 8) ?? "", difference.signalToNoise?.short(4) ?? "",
    ]
  }

  private func otherRow(_ tensor: RunComparison.Tensor) -> [String] {
    let difference = tensor.difference(mode)
    let row = [
      label(tensor), difference?.peakSignalToNoise?.short(4) ?? "",
      difference?.cosine?.fixed(6) ?? "", difference?.divergence?.short(3) ?? "",
    ]
    guard showsBoth else { return row }
    let isolated = tensor.isolated
    return row
      + [isolated.map { "\($0.differingCount)" } ?? "", isolated?.maximum?.short(4) ?? ""]
  }

  private var findings: [String] {
    var lines: [String] = []
    let compared = comparison.tensors.count - comparison.unpairedCount
    if compared < comparison.tensors.count {
      lines.append("\(compared) of \(comparison.tensors.count) tensors have one to compare with")
    }
    if let first = comparison.firstDifference(mode) {
      lines += description("first difference", first, mode)
    } else {
      lines.append("no difference beyond the tolerance")
    }
    if let worst = comparison.worst(mode) {
      lines += description("worst", worst, mode)
    }
    if seeksCulprit, let culprit = comparison.culprit {
      let verdict = culprit.isConfirmed ? "errs by itself" : "errs by itself, not every time"
      lines += description(verdict, culprit.tensor, .isolated)
    } else if seeksCulprit {
      lines.append("no node errs by itself")
    }
    return lines
  }

  /// What is said of a tensor, and how it differs.
  private func description(
    _ words: String, _ index: Int, _ mode: RunComparison.Mode
  ) -> [String] {
    let tensor = comparison.tensors[index]
    var head = "\(words): \(node(tensor))"
    var lines: [String] = []
    if let difference = tensor.difference(mode) {
      let count = "\(difference.differingCount) of \(difference.elementCount) differ"
      let whole = "\(head), \(count)"
      if whole.count <= String.narrowLineLength { head = whole } else { lines.append(count) }
      let sizes = [
        difference.maximum.map { "max abs \($0.short(4))" },
        difference.maximumQuanta.map { "\($0) quanta" },
        difference.signalToNoise.map { "SNR \($0.short(4)) dB" },
      ].compactMap(\.self)
      if !sizes.isEmpty { lines.append(sizes.joined(separator: ", ")) }
      if let worst = difference.worst {
        lines.append(
          "element \(worst.position) is \(worst.other.short(9)) for \(worst.reference.short(9))")
      }
    } else if let note = tensor.note {
      lines.append(note)
    }
    return [head] + (lines + [tensor.name.printable(upTo: 56)]).map { "  " + $0 }
  }

  private func node(_ tensor: RunComparison.Tensor) -> String {
    "node \(label(tensor)) \(tensor.operatorName.printable)"
  }

  private func line(_ failure: RunComparison.Failure) -> String {
    let value = failure.value.map { $0.short() } ?? "other shape"
    let tensor = comparison.tensors[failure.tensor]
    return "failed: \(failure.limit): \(node(tensor)): \(value)\n  \(tensor.name.printable)"
  }
}
