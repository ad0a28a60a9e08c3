// SPDX-License-Identifier: Apache-2.0

/// Pieces of a manual page, in the `man` macros of roff.
enum ManualText {
  /// A paragraph in lines, none of which roff takes for a request.
  static func text(_ words: String) -> String {
    lines(escaped(words).wrapped(to: lineLength, indentation: 0))
  }

  /// The most characters of a line of the page's source.
  private static let lineLength = 80

  /// Lines that keep their breaks and blanks.
  static func example(_ text: String) -> String {
    ".PP\n.RS 4\n.EX\n\(lines(escaped(text)))\n.EE\n.RE"
  }

  /// A label, which holds font changes already, and its explanation.
  static func entry(_ label: String, _ explanation: String) -> String {
    ".TP\n\(lines(label))\n\(text(explanation))"
  }

  /// A section of names and their explanations.
  static func section(_ title: String, _ entries: [(name: String, explanation: String)]) -> String {
    ([".SH \(quoted(title))"] + entries.map { entry(bold($0.name), $0.explanation) })
      .joined(separator: "\n")
  }

  /// `text` as one argument of a macro.
  static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// Words to be typed as they are.
  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  /// A word that something else stands for.
  static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  /// `text` without characters that roff changes.
  ///
  /// Dashes, quotes, carets and tildes stay what a shell reads; what is not ASCII has escapes of
  /// its own.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "\"": "\\(dq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "\n", " "..."~": String(scalar)
      case _: "\\[u\(code(scalar))]"
      }
    }.joined()
  }

  private static func code(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Escaped lines, with a mark of no width before a dot that begins one.
  private static func lines(_ escaped: String) -> String {
    escaped.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(".") ? "\\&" + $0 : String($0) }
      .joined(separator: "\n")
  }
}
