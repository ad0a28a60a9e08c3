// SPDX-License-Identifier: Apache-2.0

import Formatting

/// The help text of a command, in the layout that users of swift-argument-parser know.
package enum HelpText {
  /// The most characters of a line.
  package static let lineLength = String.narrowLineLength
  private static let helpColumn = 20

  /// The help of `description`, which the words of `command` call.
  package static func text(for description: CommandDescription, command: String) -> String {
    var sections = [wrapped("OVERVIEW: \(description.summary)", indentation: 0)]
    sections += description.discussion.split(separatorText: "\n\n").map {
      $0.hasPrefix(" ") ? String($0) : wrapped(String($0), indentation: 0)
    }
    sections.append("USAGE: " + usageLines(of: description, command: command))
    let arguments = description.arguments.map { entry("<\($0.name)>", $0.help) }
    if !arguments.isEmpty { sections.append("ARGUMENTS:\n" + arguments.joined(separator: "\n")) }
    let options = description.options.map { entry(label($0), $0.helpWithDefault) }
    sections.append("OPTIONS:\n" + options.joined(separator: "\n"))
    if !description.subcommands.isEmpty {
      let entries = description.subcommands.map { entry($0.name, $0.summary) }
      sections.append("SUBCOMMANDS:\n" + entries.joined(separator: "\n"))
      let root = command.split(separator: " ", maxSplits: 1)
      let path = (root.prefix(1) + ["help"] + root.dropFirst()).joined(separator: " ")
      sections.append("  See '\(path) <subcommand>' for details.")
    }
    return sections.joined(separator: "\n\n") + "\n"
  }

  /// How the command is called: `martlet run [<model>] [--input <[name=]file> ...]`.
  package static func usage(of description: CommandDescription, command: String) -> String {
    usageParts(of: description, command: command).joined(separator: " ")
  }

  /// The same in lines, each option on one of them.
  private static func usageLines(of description: CommandDescription, command: String) -> String {
    let nonbreaking = "\u{A0}"
    let parts = usageParts(of: description, command: command)
      .map { 7 + $0.count > lineLength ? $0 : $0.replacing(text: " ", with: nonbreaking) }
    let lines = wrapped(parts.joined(separator: " "), indentation: 7, first: 7).dropFirst(7)
    return String(lines).replacing(text: nonbreaking, with: " ")
  }

  private static func usageParts(of description: CommandDescription, command: String) -> [String] {
    var parts = [command]
    for argument in description.arguments {
      let name = "<\(argument.name)>" + (argument.isRepeated ? "..." : "")
      parts.append(argument.isOptional ? "[\(name)]" : name)
    }
    for option in description.options where option.name != "help" {
      let value = option.value.map { " <\($0)>" } ?? ""
      parts.append("[--\(option.name)\(value)]" + (option.isRepeated ? "..." : ""))
    }
    if !description.subcommands.isEmpty { parts.append("<subcommand>") }
    return parts
  }

  private static func label(_ option: OptionDescription) -> String {
    let letter = option.letter.map { "-\($0), " } ?? ""
    let value = option.value.map { " <\($0)>" } ?? ""
    return "\(letter)--\(option.name)\(value)"
  }

  /// A name and its explanation, which begins on the next line where the name is long.
  private static func entry(_ label: String, _ help: String) -> String {
    let name = "  " + label
    let text = wrapped(help, indentation: helpColumn, first: helpColumn)
    if name.count < helpColumn - 1 { return name + text.dropFirst(name.count) }
    return name + "\n" + text
  }

  /// `text` in lines, all but the first indented; the first begins at column `first`.
  package static func wrapped(_ text: String, indentation: Int = 0, first: Int = 0) -> String {
    (String(repeating: " ", count: first) + text)
      .wrapped(to: lineLength, indentation: indentation)
  }
}

extension OptionDescription {
  /// The sentence of the option, and what holds without it.
  package var helpWithDefault: String { defaultValue.map { "\(help) (default: \($0))" } ?? help }
}
