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

  /// Where limits are broken.
  var failures: [RunComparison.Failure] { comparison.failures(of: limits, mode) }

  /// The report for a program.
  var json: JSON {
    JSON.record(["mode": .string(mode.rawValue)]).adding(comparison.json(mode, limits: limits))
  }

  /// A table, then what it shows.
  var text: String {
    ([table] + [""] + findings + failures.map(line)).joined(separator: "\n")
  }

  private var table: String {
    let heading =
      [
        "node", "operator", "tensor", "differing", "max abs", "quanta", "MSE", "SNR dB", "PSNR dB",
        "cosine", "KL",
      ] + (showsBoth ? ["alone: differing", "max abs"] : []) + ["name"]
    return TextTable(
      [heading] + comparison.tensors.map(row), left: [0, 1, 2, heading.count - 1]
    ).text
  }

  /// Whether nodes were computed by themselves beside what the table shows.
  private var showsBoth: Bool { mode == .cumulative && options.isolation != .none }

  private func row(_ tensor: RunComparison.Tensor) -> [String] {
    var cells = [
      TraceTable.label(tensor.location, node: tensor.node), tensor.operatorName.printable,
      "\(tensor.type)",
    ]
    if let difference = tensor.difference(mode) {
      cells += ["\(difference.differingCount)/\(difference.elementCount)"]
      cells += [
        difference.maximum, difference.maximumQuanta.map(Double.init), difference.meanSquare,
        difference.signalToNoise, difference.peakSignalToNoise,
      ].map { $0?.short(4) ?? "" }
      cells += [difference.cosine?.fixed(6) ?? "", difference.divergence?.short(3) ?? ""]
    } else {
      cells += Array(repeating: "", count: 8)
    }
    if showsBoth {
      cells += [
        tensor.isolated.map { "\($0.differingCount)" } ?? "",
        tensor.isolated?.maximum?.short(4) ?? "",
      ]
    }
    return cells + [tensor.name.printable + (tensor.note.map { " (\($0))" } ?? "")]
  }

  private var findings: [String] {
    var lines: [String] = []
    let compared = comparison.tensors.count - comparison.unpairedCount
    if compared < comparison.tensors.count {
      lines.append("\(compared) of \(comparison.tensors.count) tensors have one to compare with")
    }
    if let first = comparison.firstDifference(mode) {
      lines.append("first difference: " + description(first, mode))
    } else {
      lines.append("no difference beyond the tolerance")
    }
    if let worst = comparison.worst(mode) {
      lines.append("worst: " + description(worst, mode))
    }
    if seeksCulprit, let culprit = comparison.culprit {
      let verdict = culprit.isConfirmed ? "errs by itself" : "errs by itself, not every time"
      lines.append("\(verdict): " + description(culprit.tensor, .isolated))
    } else if seeksCulprit {
      lines.append("no node errs by itself")
    }
    return lines
  }

  /// A tensor, and how it differs.
  private func description(_ index: Int, _ mode: RunComparison.Mode) -> String {
    let tensor = comparison.tensors[index]
    var parts = [name(tensor)]
    if let difference = tensor.difference(mode) {
      parts.append("\(difference.differingCount) of \(difference.elementCount) differ")
      if let maximum = difference.maximum { parts.append("max abs \(maximum.short(4))") }
      if let quanta = difference.maximumQuanta { parts.append("\(quanta) quanta") }
      if let ratio = difference.signalToNoise { parts.append("SNR \(ratio.short(4)) dB") }
      if let worst = difference.worst {
        parts.append(
          "element \(worst.position) is \(worst.other.short(9)) for \(worst.reference.short(9))")
      }
    } else if let note = tensor.note {
      parts.append(note)
    }
    return parts.joined(separator: ", ")
  }

  private func name(_ tensor: RunComparison.Tensor) -> String {
    let node = TraceTable.label(tensor.location, node: tensor.node)
    return "node \(node) \(tensor.operatorName.printable) '\(tensor.name.printable)'"
  }

  private func line(_ failure: RunComparison.Failure) -> String {
    let value = failure.value.map { $0.short() } ?? "other shape"
    return "failed: \(failure.limit): \(name(comparison.tensors[failure.tensor])): \(value)"
  }
}
