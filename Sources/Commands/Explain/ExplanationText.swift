// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import Tensors
import Verification

/// An explanation for a reader.
struct ExplanationText {
  private let explanation: Explanation
  private let isComplete: Bool

  /// How many terms are shown at either end of a long list.
  private static let shownCount = 8

  /// The text of `explanation`; unless `isComplete`, the middle of long lists is left out.
  init(_ explanation: Explanation, isComplete: Bool) {
    self.explanation = explanation
    self.isComplete = isComplete
  }

  var text: String {
    var lines = [head, "  \(value)"]
    switch explanation.origin {
    case .constant: lines.append("the model holds it: a constant")
    case .input: lines.append("the caller gave it: an input")
    case .variable: lines.append("kept between invocations: a variable")
    case .node(let node): lines += text(of: node)
    }
    if let again = explanation.recomputation { lines += ["", text(of: again)] }
    return lines.joined(separator: "\n")
  }

  private var head: String {
    let tensor = explanation.tensor
    return "tensor \(tensor.index)  '\(tensor.name.printable)'  \(tensor.type)"
      + "  element \(explanation.element.index.indexText)"
  }

  private var value: String {
    var text = "stored \(explanation.element.stored.text)"
    let quantization = explanation.tensor.type.quantization
    if quantization?.scales.isEmpty == false, let real = explanation.element.real {
      text += ", real \(real.short(9))"
      if let affine = quantization?.perTensor {
        text += "  (scale \(affine.scale), zero point \(affine.zeroPoint))"
      }
    }
    return text
  }

  private func text(of node: ExplainedNode) -> [String] {
    var lines = ["", "node \(node.index)  \(node.operatorName.printable)  output \(node.output)"]
    for source in node.sources {
      guard let formula = source.formula else { continue }
      lines += formula.split(separator: "\n").map { "    \($0)" }
    }
    if let kernel = node.kernel { lines.append("  kernel  \(kernel)") }
    let width = node.sources.map(\.type.count).max() ?? 0
    for source in node.sources {
      let padding = String(repeating: " ", count: width - source.type.count)
      lines.append("  source  \(source.type)\(padding)  \(source.file)")
    }
    for (position, input) in node.inputs.enumerated() {
      guard let input else {
        lines.append("  input \(position)  absent")
        continue
      }
      lines.append(
        "  input \(position)  tensor \(input.tensor.index)  '\(input.tensor.name.printable)'"
          + "  \(input.tensor.type)\(input.isConstant ? "  constant" : "")")
    }
    if let remark = node.remark { lines += ["", remark] }
    if !node.terms.isEmpty { lines += ["", termTable(node.terms)] }
    if let bias = node.bias {
      var line = "bias  input \(bias.input) \(bias.element.index.indexText)"
      line += "  stored \(bias.element.stored.text)"
      if hasReal(bias), let real = bias.element.real { line += "  real \(real.short())" }
      lines += ["", line]
    }
    if !node.steps.isEmpty { lines += ["", stepTable(node.steps)] }
    return lines
  }

  private func termTable(_ terms: [ExplainedTerm]) -> String {
    let isCut = !isComplete && terms.count > 2 * Self.shownCount + 1
    let shown = isCut ? Array(terms.prefix(Self.shownCount)) + terms.suffix(Self.shownCount) : terms
    var rows = [heading(terms)]
    rows += shown.map(row)
    let table = TextTable(rows, left: []).text
    guard isCut else { return table }
    var lines = table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines.insert(
      "  … \(terms.count - shown.count) more of \(terms.count), listed by --all …",
      at: Self.shownCount + 1)
    return lines.joined(separator: "\n")
  }

  private func heading(_ terms: [ExplainedTerm]) -> [String] {
    guard let first = terms.first else { return [] }
    var cells: [String] = []
    let isProduct = first.factors.count > 1
    for factor in first.factors {
      cells += [isProduct ? "input \(factor.input)" : "element", "stored"]
      if hasReal(factor) { cells.append("real") }
      if factor.code != nil { cells.append("code") }
    }
    return first.value == nil ? cells : cells + [isProduct ? "product" : "value"]
  }

  private func row(_ term: ExplainedTerm) -> [String] {
    var cells: [String] = []
    for factor in term.factors {
      let index = factor.element.index.indexText
      cells += [
        term.factors.count > 1 ? index : "input \(factor.input) \(index)",
        factor.element.stored.text,
      ]
      if hasReal(factor) { cells.append(factor.element.real?.short() ?? "") }
      if let code = factor.code { cells.append("\(code)") }
    }
    return term.value.map { cells + [$0.text] } ?? cells
  }

  /// Whether the stored value is a code for another number.
  private func hasReal(_ factor: ExplainedTerm.Factor) -> Bool {
    guard case .node(let node) = explanation.origin, node.inputs.indices.contains(factor.input)
    else { return false }
    let quantization = node.inputs[factor.input]?.tensor.type.quantization
    return quantization?.scales.isEmpty == false
  }

  private func stepTable(_ steps: [ExplainedStep]) -> String {
    TextTable(
      [["step", "", "value"]] + steps.map { [$0.name, $0.text, $0.value.text] }, left: [0, 1]
    ).text
  }

  private func text(of again: Recomputation) -> String {
    let means =
      switch again.method {
      case .steps: "from the numbers above"
      case .kernel: "by the reference kernel"
      case .model: "by a second run of the model"
      }
    return again.isEqual
      ? "recomputed: equal (\(means))"
      : "recomputed: \(again.value?.text ?? "no value") (\(means)), stored: "
        + explanation.element.stored.text
  }
}

extension [Int] {
  /// The numbers as an index: `[0,3,3,7]`.
  fileprivate var indexText: String { "[\(map(String.init).joined(separator: ","))]" }
}

extension StoredValue {
  /// The value with all of its digits.
  fileprivate var text: String {
    switch self {
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .complex(let real, let imaginary): "\(real) + \(imaginary)i"
    case .string(let bytes): "\"\(String(decoding: bytes, as: UTF8.self).printable)\""
    }
  }
}
