// SPDX-License-Identifier: Apache-2.0

import Formatting

/// The manual page of a command and of all its subcommands, in the `man` macros of roff.
///
/// The page is ASCII and made of what the help texts are made of.
///
/// Source: `groff_man(7)`, `man-pages(7)`.
package struct ManualPage {
  private let root: CommandDescription
  private let version: String
  private let date: String

  /// The page of `root`, with a date such as `2026-11-22`, which may be empty.
  package init(_ root: CommandDescription, version: String, date: String) {
    self.root = root
    self.version = version
    self.date = date
  }

  /// The page as the source of a file `martlet.1`.
  package var source: String {
    let title = root.name.uppercased()
    let locations = CompletionScript.locations(root).filter { !$0.path.isEmpty }
    let sections = [
      #".TH \#(title) 1 "\#(date)" "\#(root.name) \#(version)" "User Commands""#,
      ".SH NAME\n" + ManualText.text("\(root.name) - \(Self.phrase(root.summary))"),
      ".SH SYNOPSIS\n" + synopsis,
      ".SH OPTIONS\n" + root.options.map(Self.entry).joined(separator: "\n"),
      ".SH COMMANDS\n"
        + ManualText.text("Every command also takes -h or --help, which shows what is said here.")
        + "\n" + locations.map(command).joined(separator: "\n"),
      ManualText.section("EXIT STATUS", Self.exitStatus),
      ManualText.section("ENVIRONMENT", Self.environment),
      ManualText.section("FILES", Self.files),
      ".SH EXAMPLES\n" + Self.examples.map(Self.example).joined(separator: "\n.PP\n"),
    ]
    return sections.joined(separator: "\n") + "\n"
  }

  private var synopsis: String {
    let name = ManualText.bold(root.name)
    let (command, argument) = (ManualText.italic("command"), ManualText.italic("argument"))
    return "\(name) \(command) [\(argument) ...]\n.br\n\(name) \(ManualText.italic("option")) ..."
  }

  private func command(_ location: CompletionScript.Location) -> String {
    let words = ([root.name] + location.path).joined(separator: " ")
    let command = location.command
    var parts = [".SS \(ManualText.quoted(words))", ManualText.text(command.summary)]
    parts += command.discussion.split(separatorText: "\n\n").map { paragraph in
      paragraph.hasPrefix(" ")
        ? ManualText.example(String(paragraph)) : ".PP\n" + ManualText.text(String(paragraph))
    }
    if !command.subcommands.isEmpty {
      let names = command.subcommands.map { "\(words) \($0.name)" }
      parts.append(".PP\n" + ManualText.text("See \(names.joined(separator: ", "))."))
      return parts.joined(separator: "\n")
    }
    parts.append(".PP\n" + ManualText.text(HelpText.usage(of: command, command: words)))
    parts += command.arguments.map {
      ManualText.entry(ManualText.italic($0.name), $0.help)
    }
    parts += command.options.filter { $0.name != OptionDescription.help.name }.map(Self.entry)
    return parts.joined(separator: "\n")
  }

  private static func entry(_ option: OptionDescription) -> String {
    ManualText.entry(label(option), option.helpWithDefault)
  }

  private static func label(_ option: OptionDescription) -> String {
    let value = option.value.map { " " + ManualText.italic($0) } ?? ""
    return option.spellings.map(ManualText.bold).joined(separator: ", ") + value
  }

  private static func example(_ example: (purpose: String, lines: String)) -> String {
    ManualText.text(example.purpose) + "\n" + ManualText.example(example.lines)
  }

  /// A sentence as part of one.
  private static func phrase(_ sentence: String) -> String {
    let text = sentence.prefix(1).lowercased() + sentence.dropFirst()
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
