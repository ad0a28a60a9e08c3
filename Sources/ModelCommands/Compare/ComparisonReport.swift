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
    let summary = (findings + failures.map(line)).joined(separator: "\n")
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
    let metrics =
      listsAll
      ? ["max abs", "quanta", "MSE", "SNR dB", "PSNR dB", "cosine", "KL"]
      : ["max abs", "SNR dB"]
    let heading =
      ["node", "operator"] + (listsAll ? ["tensor"] : []) + ["differing"] + metrics
      + (showsBoth ? (listsAll ? ["alone: differing", "max abs"] : ["alone"]) : [])
      + [listsAll ? "name" : ""]
    let left: Set<Int> = [0, 1, listsAll ? 2 : 0, heading.count - 1]
    return TextTable([heading] + tensors.map(row), left: left).text
  }

  /// Whether nodes were computed by themselves beside what the table shows.
  private var showsBoth: Bool { mode == .cumulative && options.isolation != .none }

  private func row(_ tensor: RunComparison.Tensor) -> [String] {
    var cells = [
      TraceTable.label(tensor.location, node: tensor.node), tensor.operatorName.printable,
    ]
    if listsAll { cells.append("\(tensor.type)") }
    if let difference = tensor.difference(mode) {
      cells += ["\(difference.differingCount)/\(difference.elementCount)"]
      let signalToNoise = difference.signalToNoise?.short(4) ?? ""
      let maximum = difference.maximum?.short(4) ?? ""
      if listsAll {
        cells += [maximum]
        cells += [difference.maximumQuanta.map(Double.init), difference.meanSquare].map {
          $0?.short(4) ?? ""
        }
        cells += [signalToNoise, difference.peakSignalToNoise?.short(4) ?? ""]
        cells += [difference.cosine?.fixed(6) ?? "", difference.divergence?.short(3) ?? ""]
      } else {
        cells += [maximum, signalToNoise]
      }
    } else {
      cells += Array(repeating: "", count: listsAll ? 8 : 3)
    }
    if showsBoth {
      cells.append(tensor.isolated.map { "\($0.differingCount)" } ?? "")
      if listsAll { cells.append(tensor.isolated?.maximum?.short(4) ?? "") }
    }
    guard listsAll else { return cells + [tensor.note ?? ""] }
    return cells + [tensor.name.printable + (tensor.note.map { " (\($0))" } ?? "")]
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
      head += ", \(difference.differingCount) of \(difference.elementCount) differ"
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
    "node \(TraceTable.label(tensor.location, node: tensor.node)) \(tensor.operatorName.printable)"
  }

  private func line(_ failure: RunComparison.Failure) -> String {
    let value = failure.value.map { $0.short() } ?? "other shape"
    let tensor = comparison.tensors[failure.tensor]
    return "failed: \(failure.limit): \(node(tensor)) '\(tensor.name.printable)': \(value)"
  }
}
