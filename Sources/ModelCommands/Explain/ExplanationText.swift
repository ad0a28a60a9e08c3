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
    var lines = head + value
    switch explanation.origin {
    case .constant: lines.append("the model holds it: a constant")
    case .input: lines.append("the caller gave it: an input")
    case .variable: lines.append("kept between invocations: a variable")
    case .node(let node): lines += text(of: node)
    }
    if let again = explanation.recomputation { lines += ["", text(of: again)] }
    return lines.joined(separator: "\n")
  }

  private var head: [String] {
    let tensor = explanation.tensor
    return [
      "tensor \(tensor.index)  \(tensor.type)  element \(explanation.element.index.indexText)",
      "  '\(tensor.name.printable)'",
    ]
  }

  private var value: [String] {
    let stored = "  stored \(explanation.element.stored.text)"
    let quantization = explanation.tensor.type.quantization
    guard let quantization, quantization.scaleCount > 0, let real = explanation.element.real else {
      return [stored]
    }
    let scale = quantization.perTensor.map {
      "  scale \($0.scale), zero point \($0.zeroPoint)"
    }
    return ["\(stored), real \(real.short(9))"] + (scale.map { [$0] } ?? [])
  }

  private func text(of node: ExplainedNode) -> [String] {
    var lines = ["", "node \(node.index)  \(node.operatorName.printable)  output \(node.output)"]
    for source in node.sources {
      guard let formula = source.formula else { continue }
      lines += FormulaText(width: String.narrowLineLength - 2).lines(formula).map { "  \($0)" }
    }
    if let kernel = node.kernel {
      let names = FormulaText(width: String.narrowLineLength - 10).lines("\(kernel)")
      lines.append("  kernel  " + names.joined(separator: "\n          "))
    }
    for source in node.sources {
      lines += ["  source  \(source.type)", "          \(source.file)"]
    }
    for (position, input) in node.inputs.enumerated() {
      guard let input else {
        lines.append("  input \(position)  absent")
        continue
      }
      let constant = input.isConstant ? "  constant" : ""
      lines += [
        "  input \(position)  tensor \(input.tensor.index)  \(input.tensor.type)\(constant)",
        "           '\(input.tensor.name.printable)'",
      ]
    }
    if let remark = node.remark { lines += ["", remark.narrow] }
    let table = stepLines(node.steps)
    for part in ExplainedPart.parts(of: node) {
      lines += text(of: part, bias: part.name == nil ? node.bias : nil, steps: table)
    }
    return lines
  }

  /// A part's terms, bias and steps, whose texts are among those of all steps.
  private func text(
    of part: ExplainedPart, bias: ExplainedTerm.Factor?, steps table: [String]
  ) -> [String] {
    var blocks: [String] = []
    if !part.terms.isEmpty { blocks.append(termTable(part.terms)) }
    if let bias { blocks.append(text(ofBias: bias)) }
    if !part.steps.isEmpty {
      blocks.append(part.steps.map { table[$0] }.joined(separator: "\n"))
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
    let stored = columns.map(\.withoutReal)
    let tables = [columns, stored].map { termRows(shown, $0) }
    var lines =
      tables.map { TextTable($0, left: []) }.first(where: \.fits)?.rowTexts
      ?? foldedRows(tables[1], stored)
    guard isCut else { return lines.joined(separator: "\n") }
    lines.insert(
      "  … \(terms.count - shown.count) more of \(terms.count), listed by --all …",
      at: Self.shownCount + 1)
    return lines.joined(separator: "\n")
  }

  /// A heading and the cells of each term.
  private func termRows(_ terms: [ExplainedTerm], _ columns: [Columns]) -> [[String]] {
    var heading = columns.flatMap(\.names)
    if terms.first?.value != nil { heading.append(columns.count > 1 ? "product" : "value") }
    return [heading] + terms.map { row($0, columns) }
  }

  /// The rows of a table that is too wide, in which each factor has a line.
  private func foldedRows(_ rows: [[String]], _ columns: [Columns]) -> [String] {
    var (texts, start) = (rows.map { _ in "" }, 0)
    for (position, factor) in columns.enumerated() {
      let end = position == columns.count - 1 ? rows[0].count : start + factor.names.count
      let part = TextTable(
        rows.map { Array($0[min(start, $0.count)..<min(end, $0.count)]) }, left: [])
      for (row, text) in part.rowTexts.enumerated() {
        texts[row] += position == 0 ? text : "\n    \(text)"
      }
      start = end
    }
    return texts
  }

  /// What is shown of a factor.
  private struct Columns {
    /// Where the numbers stand; nil where each row says so.
    let source: ExplainedTerm.Factor.Source?
    var hasReal: Bool
    let hasQuantized: Bool

    /// The same without what can be computed from the stored numbers.
    var withoutReal: Columns {
      var columns = self
      columns.hasReal = false
      return columns
    }

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
      if column.hasReal { cells.append(factor.element.real?.short(3) ?? "") }
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
    return type?.quantization.map { $0.scaleCount > 0 } ?? false
  }

  /// The steps as equations, beside their names: `bias  3 + 4 = 7`.
  ///
  /// An equation that does not fit a line goes on below with its result.
  private func stepLines(_ steps: [ExplainedStep]) -> [String] {
    let names = steps.map(\.name)
    let column = (names.map(\.count).max() ?? 0) + 2
    let width = String.narrowLineLength - column
    return steps.map { step in
      let result = "= \(step.value.text)"
      var lines = step.text.isEmpty ? [] : FormulaText(width: width).lines(step.text)
      // A remark behind a comma is no part of the equation.
      if lines.count == 1, !step.text.contains(text: ", "), let last = lines.last,
        last.count + 1 + result.count <= width
      {
        lines[lines.count - 1] = "\(last) \(result)"
      } else {
        lines.append(result)
      }
      let blanks = String(repeating: " ", count: column)
      let padded = step.name + blanks.dropFirst(step.name.count)
      return padded + lines.joined(separator: "\n" + blanks)
    }
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
