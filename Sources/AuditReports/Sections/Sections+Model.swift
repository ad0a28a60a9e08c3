// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import MetadataFormat
internal import ModelChecks
internal import ModelFormat
internal import ModelSummaries
internal import PageMarkup
internal import Tensors

extension AuditReport {
  /// What the file is, and what looked at it.
  var identitySection: Markup {
    var facts: [(name: String, value: Markup)] = [
      ("File", .code(identity.fileName)), ("Size", "\(identity.byteCount.byteText)"),
      ("SHA-256", .code(identity.digest)),
      ("Schema", "TFL3, version \(identity.schemaVersion)"),
    ]
    if !identity.description.isEmpty {
      facts.append((name: "Description", value: .text(identity.description.printable)))
    }
    if !identity.minimumRuntime.isEmpty {
      facts.append(("Least runtime", .text("TensorFlow Lite \(identity.minimumRuntime)")))
    }
    facts.append(
      ("Graphs", "\(identity.subgraphCount), with \(identity.nodeCount) nodes in all"))
    facts.append(("Weights", "\(weightByteCount.byteText)"))
    if let total = totalMultiplyAdds {
      facts.append(("Multiply-accumulates", "\((Double(total) / 1e6).short(4)) million"))
    }
    for (input, digest) in zip(inputs, identity.inputDigests) {
      facts.append(("Input", "\(input.name.printable), \(input.typeText)"))
      if !digest.isEmpty { facts.append(("SHA-256 of its values", .code(digest))) }
    }
    for output in outputs {
      facts.append(("Output", "\(output.name.printable), \(output.typeText)"))
    }
    facts.append(
      (
        name: "Computed by",
        value: .text(
          "Martlet \(identity.engineVersion): \(identity.kernels) kernels, instruction set "
            + "\(identity.instructionSet), \(identity.rounding) rounding, \(identity.threadCount) "
            + "thread\(identity.threadCount == 1 ? "" : "s")")
      ))
    if let date = identity.date { facts.append(("Date", .text(date))) }
    if !identity.command.isEmpty { facts.append(("Made by", .code(identity.command))) }
    return .section("identity", "Identity", [.facts(facts)])
  }

  /// What was found, worst first.
  var verdictSection: Markup {
    let items = groups.map(Self.item)
    var content: [Markup] = [verdict]
    if !items.isEmpty { content.append(.tag("ul", ["class": "findings"], items)) }
    return .section("verdict", "Verdict", content)
  }

  /// What the findings come to, in a line.
  var verdict: Markup {
    let errors = findings.count { $0.severity == .error }
    let warnings = findings.count { $0.severity == .warning }
    let (style, text) =
      errors > 0
      ? ("bad", "\(errors) error\(errors == 1 ? "" : "s") found.")
      : warnings > 0
        ? ("warning", "The model runs; \(warnings) thing\(warnings == 1 ? "" : "s") to look at.")
        : ("good", "The model runs, and nothing speaks against it.")
    return .tag("p", ["class": "verdict \(style)"], text)
  }

  /// The findings of one rule and severity together, the worst first.
  private var groups: [[Finding]] {
    let order: [Finding.Severity] = [.error, .warning, .note]
    let findingsOfRule = Dictionary(grouping: findings, by: \.rule)
    return order.flatMap { severity in
      CheckRule.allCases.compactMap { rule in
        let group = findingsOfRule[rule]?.filter { $0.severity == severity } ?? []
        return group.isEmpty ? nil : group
      }
    }
  }

  /// The first finding of a group, and the others on demand.
  private static func item(_ group: [Finding]) -> Markup {
    guard let finding = group.first else { return .nothing }
    let style = finding.severity == .warning ? "warning-item" : finding.severity.rawValue
    var lines: [Markup] = [
      .tag(
        "p", [:],
        [
          .tag("strong", [:], finding.severity.rawValue), " ", .code(finding.rule.rawValue),
          .text(group.count > 1 ? ", \(group.count) times" : ""), " — ",
          .text(finding.rule.summary),
        ]),
      .paragraph(sentence(finding)),
    ]
    if let fix = finding.fix {
      lines.append(
        .tag("p", [:], ["To mend it: ", fix.hasPrefix("martlet ") ? .code(fix) : .text(fix)]))
    }
    if group.count > 1 {
      lines.append(
        .details(
          "\(group.count - 1) more",
          [.tag("ul", [:], group.dropFirst().map { .tag("li", [:], sentence($0)) })]))
    }
    return .tag("li", ["class": style], lines)
  }

  private static func sentence(_ finding: Finding) -> String {
    finding.location.isEmpty ? finding.message : "\(finding.location): \(finding.message)"
  }

  /// What the model says about itself; what it does not say is shown as absent.
  var cardSection: Markup {
    func entry(_ name: String, _ text: String?) -> (name: String, value: Markup) {
      let words = text.flatMap { $0.isEmpty ? nil : $0.printable(upTo: 2000) }
      return (name, words.map { .text($0) } ?? .tag("span", ["class": "hint"], "not given"))
    }
    var facts = [
      entry("Name", metadata?.name), entry("Description", metadata?.description),
      entry("Version", metadata?.version), entry("Author", metadata?.author),
      entry("License", metadata?.license),
    ]
    let graph = metadata?.subgraphs.first
    for (number, input) in (graph?.inputs ?? []).enumerated() {
      facts.append(entry("Input \(number)", Self.words(input)))
    }
    for (number, output) in (graph?.outputs ?? []).enumerated() {
      facts.append(entry("Output \(number)", Self.words(output)))
    }
    let files = metadata?.allAssociatedFiles.compactMap(\.name) ?? []
    facts.append(entry("Files", files.isEmpty ? nil : files.joined(separator: ", ")))
    return .section(
      "card", "Model card",
      [.hint("From the metadata inside the file; nothing is added."), .facts(facts)])
  }

  private static func words(_ tensor: TensorMetadata) -> String {
    [tensor.name, tensor.description].compactMap { $0 }.joined(separator: ": ")
  }

  /// Which operators there are.
  var operatorSection: Markup {
    let rows = operators.map { use in
      let own = layers.filter { $0.operatorName == use.identity.name }
      let types = Set(own.flatMap { $0.outputs.map { $0.type.elementType.schemaName } })
      let total = own.reduce(0) { $0 + ($1.multiplyAdds ?? 0) }
      return Markup.Row([
        .name(use.identity.name), "\(use.identity.version)", "\(use.count)",
        .text(types.sorted().joined(separator: ", ")),
        .text(total == 0 ? "" : (Double(total) / 1e6).short(4)),
        use.isSupported
          ? .tag("span", ["class": "good"], "yes") : .tag("span", ["class": "bad"], "no"),
      ])
    }
    return .section(
      "operators", "Operators",
      [
        .table(
          caption: "Operators by number of nodes",
          [
            .words("Operator"), .numbers("Version"), .numbers("Nodes"), .words("Results"),
            .numbers("Million MACs"), .words("Supported"),
          ], rows)
      ])
  }
}

extension GraphTensor {
  /// The type, with its scale and zero point.
  var typeText: String {
    guard let type else { return "no value" }
    return type.quantization?.perTensor.map {
      "\(type), scale \($0.scale), zero point \($0.zeroPoint)"
    } ?? "\(type)"
  }
}
