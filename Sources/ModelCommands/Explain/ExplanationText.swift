// SPDX-License-Identifier: Apache-2.0

import Explanations
import Formatting
import Martlet
import ModelFormat
import Tensors

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
    let table = stepTable(node.steps)
    for part in ExplainedPart.parts(of: node) {
      lines += text(of: part, bias: part.name == nil ? node.bias : nil, steps: table)
    }
    return lines
  }

  /// A part's terms, bias and steps, whose lines are among those of all steps.
  private func text(
    of part: ExplainedPart, bias: ExplainedTerm.Factor?, steps table: [String]
  ) -> [String] {
    var blocks: [String] = []
    if !part.terms.isEmpty { blocks.append(termTable(part.terms)) }
    if let bias { blocks.append(text(ofBias: bias)) }
    if !part.steps.isEmpty {
      let heading = part.name == nil ? [table[0]] : []
      blocks.append((heading + part.steps.map { table[$0 + 1] }).joined(separator: "\n"))
    }
    guard let name = part.name else { return ["", blocks.joined(separator: "\n\n")] }
    return ["", name] + blocks
  }

  private func text(ofBias bias: ExplainedTerm.Factor) -> String {
    var line = "bias  \(bias.source) \(bias.element.index.indexText)"
    line += "  stored \(bias.element.stored.text)"
    if hasReal(bias), let real = bias.element.real { line += "  real \(real.short())" }
    return line
  }

  private func termTable(_ terms: [ExplainedTerm]) -> String {
    let isCut = !isComplete && terms.count > 2 * Self.shownCount + 1
    let shown = isCut ? Array(terms.prefix(Self.shownCount)) + terms.suffix(Self.shownCount) : terms
    let columns = terms.first.map(columns) ?? []
    var rows = [columns.flatMap(\.names)]
    if terms.first?.value != nil { rows[0].append(columns.count > 1 ? "product" : "value") }
    rows += shown.map { row($0, columns) }
    let table = TextTable(rows, left: []).text
    guard isCut else { return table }
    var lines = table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines.insert(
      "  … \(terms.count - shown.count) more of \(terms.count), listed by --all …",
      at: Self.shownCount + 1)
    return lines.joined(separator: "\n")
  }

  /// What is shown of a factor.
  private struct Columns {
    /// Where the numbers stand; nil where each row says so.
    let source: ExplainedTerm.Factor.Source?
    let hasReal: Bool
    let hasQuantized: Bool

    var names: [String] {
      [source.map { "\($0)" } ?? "element", "stored"] + (hasReal ? ["real"] : [])
        + (hasQuantized ? ["quantized"] : [])
    }
  }

  private func columns(_ first: ExplainedTerm) -> [Columns] {
    first.factors.map { factor in
      Columns(
        source: first.factors.count > 1 ? factor.source : nil, hasReal: hasReal(factor),
        hasQuantized: factor.quantized != nil)
    }
  }

  private func row(_ term: ExplainedTerm, _ columns: [Columns]) -> [String] {
    var cells: [String] = []
    for (factor, column) in zip(term.factors, columns) {
      let index = factor.element.index.indexText
      cells += [
        factor.source == column.source ? index : "\(factor.source) \(index)",
        factor.element.stored.text,
      ]
      if column.hasReal { cells.append(factor.element.real?.short() ?? "") }
      if column.hasQuantized { cells.append(factor.quantized.map { "\($0)" } ?? "") }
    }
    return term.value.map { cells + [$0.text] } ?? cells
  }

  /// Whether the stored value is a code for another number.
  private func hasReal(_ factor: ExplainedTerm.Factor) -> Bool {
    let type: TensorType?
    switch (factor.source, explanation.origin) {
    case (.input(let position), .node(let node)):
      type = node.inputs.indices.contains(position) ? node.inputs[position]?.tensor.type : nil
    // Of its own outputs a node reads the one that is explained.
    case (.output, _): type = explanation.tensor.type
    case (_, _): type = nil
    }
    return type?.quantization?.scales.isEmpty == false
  }

  /// The lines of the steps below a heading, in columns that all of them share.
  private func stepTable(_ steps: [ExplainedStep]) -> [String] {
    let rows = [["step", "", "value"]] + steps.map { [$0.name, $0.text, $0.value.text] }
    return TextTable(rows, left: [0, 1]).text.split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
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

/// The terms and steps that belong to one sum of a node.
private struct ExplainedPart {
  /// The name of the sum; nil for a node that has no more than one.
  let name: String?
  var terms: [ExplainedTerm] = []
  /// Which of the node's steps.
  var steps: [Int] = []

  /// The parts of a node in the order in which their steps come.
  static func parts(of node: ExplainedNode) -> [ExplainedPart] {
    var parts: [ExplainedPart] = []
    func index(_ name: String?) -> Int {
      if let known = parts.firstIndex(where: { $0.name == name }) { return known }
      parts.append(ExplainedPart(name: name))
      return parts.count - 1
    }
    for (number, step) in node.steps.enumerated() {
      parts[index(step.part)].steps.append(number)
    }
    for term in node.terms { parts[index(term.part)].terms.append(term) }
    return parts
  }
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
