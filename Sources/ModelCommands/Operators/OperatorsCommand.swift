// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import ModelFormat
import ReferenceKernels

/// `martlet ops`: the operators that have kernels.
package enum OperatorsCommand {
  package static let description = CommandDescription(
    "ops", "List the operators that have kernels, with their element types.",
    discussion: """
      Without names, each operator has a line with as many of its types as fit. With names, there \
      is everything about these operators.
      """,
    arguments: [
      ArgumentDescription("name", "An operator of the list.", isOptional: true, isRepeated: true)
    ],
    options: [.flag("markdown", "Print the page Docs/Operators.md."), .json],
    isReading: false
  ) { arguments, console throws(CommandError) in
    let names = arguments.allArguments("name")
    if arguments.flag("markdown") {
      guard names.isEmpty else { throw arguments.usage("--markdown is of all operators") }
      try console.print(OperatorsMarkdown.text)
      return .success
    }
    var chosen: [CatalogEntry] = []
    for name in names { chosen.append(try entry(name, arguments)) }
    let isWhole = names.isEmpty
    let entries = isWhole ? OperatorCatalog.entries : chosen.filter { $0.code != .custom }
    let custom = isWhole ? OperatorCatalog.custom : chosen.filter { $0.code == .custom }
    if arguments.flag("json") {
      try console.print([
        "schema": "martlet/ops/1",
        "operators": .array(entries.map(json)),
        "custom": .array(custom.map { .string($0.name) }),
      ])
    } else {
      try console.print(isWhole ? list(entries, custom) : chosen.map(text).joined(separator: "\n"))
    }
    return .success
  }

  /// The operator that is called `name`, in letters of either case.
  private static func entry(
    _ name: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> CatalogEntry {
    let all = OperatorCatalog.entries + OperatorCatalog.custom
    if let entry = all.first(where: { $0.name.lowercased() == name.lowercased() }) { return entry }
    throw arguments.usage(
      "no operator '\(name)'", hint: Suggestion.hint(for: name, among: all.map(\.name)))
  }

  /// A line for each operator.
  private static func list(_ entries: [CatalogEntry], _ custom: [CatalogEntry]) -> String {
    let width = (entries + custom).map(\.name.count).max() ?? 0
    let lines =
      entries.map { ($0.name, types($0.variants, upTo: narrowWidth - width - 2)) }
      + custom.map { ($0.name, "custom") }
    return TextTable(lines.map { [$0, $1] }, left: [0, 1]).text
      + "\n+n: so many more types; 'martlet ops NAME' lists all"
  }

  private static let narrowWidth = String.narrowLineLength

  /// The first types, and the number of those that do not fit: `f32 i8 +3`.
  private static func types(_ variants: [String], upTo limit: Int) -> String {
    let all = variants.joined(separator: " ")
    guard all.count > limit else { return all }
    var (text, count) = ("", 0)
    for variant in variants {
      let longer = text + variant + " "
      guard longer.count + "+\(variants.count - count - 1)".count <= limit else { break }
      (text, count) = (longer, count + 1)
    }
    return text + "+\(variants.count - count)"
  }

  /// Everything about an operator.
  private static func text(_ entry: CatalogEntry) -> String {
    let isCustom = entry.code == .custom
    let versions = entry.versions.map { ", up to version \($0.highest)" } ?? ""
    let rows = [
      ["  code", isCustom ? "custom, called by its name" : "\(entry.code.rawValue)\(versions)"],
      entry.variants.isEmpty ? nil : ["  types", entry.variants.joined(separator: " ")],
      entry.optimizedVariants.isEmpty
        ? nil : ["  optimized", entry.optimizedVariants.joined(separator: " ")],
    ]
    return "\(entry.name)\n"
      + TextTable(rows.compactMap(\.self), left: [0, 1], wrapsLastColumn: true).text
      + "\n  source\n    \(entry.sourceFile)"
  }

  private static func json(_ entry: CatalogEntry) -> JSON {
    .record([
      "name": .string(entry.name), "code": .integer(Int(entry.code.rawValue)),
      "highest_version": entry.versions.map { .integer($0.highest) },
      "variants": .array(entry.variants.map { .string($0) }),
      "optimized": .array(entry.optimizedVariants.map { .string($0) }),
    ])
  }
}
