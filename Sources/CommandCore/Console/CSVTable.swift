// SPDX-License-Identifier: Apache-2.0

import Formatting

/// Rows of values separated by commas, as RFC 4180 has them, with line feeds.
package struct CSVTable {
  private var lines: [String]

  /// A table whose first row names the columns.
  package init(_ columns: [String]) { lines = [Self.line(columns)] }

  /// Adds a row; nil is a value that is not there.
  package mutating func add(_ row: [String?]) { lines.append(Self.line(row)) }

  /// The table, without a final line feed.
  package var text: String { lines.joined(separator: "\n") }

  /// A row without a line feed; nil is a value that is not there.
  package static func line(_ fields: [String?]) -> String {
    fields.map { field($0 ?? "") }.joined(separator: ",")
  }

  /// A field, in quotes where it needs them.
  private static func field(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    return needsQuotes ? "\"\(text.replacing(text: "\"", with: "\"\""))\"" : text
  }
}

/// How a command prints what it found.
package enum OutputForm {
  case text
  case json
  case csv

  /// What `--json` and `--csv` ask for.
  package init(_ arguments: ParsedArguments) throws(CommandError) {
    switch (arguments.flag("json"), arguments.flag("csv")) {
    case (true, true): throw arguments.usage("--json beside --csv: only one of them is printed")
    case (true, false): self = .json
    case (false, true): self = .csv
    case (false, false): self = .text
    }
  }
}
