// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import ModelFormat
import ReferenceKernels

/// `martlet ops`: the operators that have kernels.
package enum OperatorsCommand {
  package static let description = CommandDescription(
    "ops", "List the operators that have kernels, with their element types.",
    options: [.flag("markdown", "Print the page Docs/Operators.md."), .json],
    isReading: false
  ) { arguments, console throws(CommandError) in
    let entries = OperatorCatalog.entries
    let custom = OperatorCatalog.custom.map(\.name)
    if arguments.flag("markdown") {
      try console.print(OperatorsMarkdown.text)
    } else if arguments.flag("json") {
      try console.print([
        "schema": "martlet/ops/1",
        "operators": .array(entries.map(json)),
        "custom": .array(custom.map { .string($0) }),
      ])
    } else {
      let rows =
        entries.map {
          ["\($0.code.rawValue)", $0.name, $0.variants.joined(separator: " ")]
        } + custom.map { ["", $0, "custom"] }
      try console.print(TextTable(rows, left: [1, 2], wrapsLastColumn: true).text)
    }
    return .success
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
