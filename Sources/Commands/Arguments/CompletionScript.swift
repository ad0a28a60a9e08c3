// SPDX-License-Identifier: Apache-2.0

/// Scripts that teach a shell to complete a command's words.
enum CompletionScript {
  /// The shells with a script.
  static let shells = ["bash", "zsh", "fish"]

  /// The script for `shell`; nil for another shell.
  static func script(for shell: String, of root: CommandDescription) -> String? {
    switch shell {
    case "bash": bash(root)
    case "zsh": zsh(root)
    case "fish": fish(root)
    case _: nil
    }
  }

  /// A command with the words that lead to it from the root.
  private struct Place {
    let path: [String]
    let command: CommandDescription
  }

  private static func places(_ command: CommandDescription, _ path: [String] = []) -> [Place] {
    [Place(path: path, command: command)]
      + command.subcommands.flatMap { places($0, path + [$0.name]) }
  }

  private static func spellings(_ option: OptionDescription) -> [String] {
    (option.letter.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
  }

  // MARK: bash

  private static func bash(_ root: CommandDescription) -> String {
    let cases = places(root).map { place in
      let words =
        place.command.options.flatMap(spellings)
        + place.command.subcommands.map(\.name)
      let values = place.command.options.filter { $0.value != nil }.map { option in
        "        \(spellings(option).joined(separator: "|"))) \(bashReply(option.completion)); return ;;\n"
      }
      let files = place.command.arguments.last.map {
        "\n      \(bashReply($0.completion, adds: true))"
      }
      return """
            "\(place.path.joined(separator: " "))")
              case "$previous" in
        \(values.joined())      esac
              COMPREPLY=($(compgen -W "\(words.joined(separator: " "))" -- "$current"))\(files ?? "")
              ;;

        """
    }
    let groups = places(root).flatMap { place in
      place.command.subcommands.map { (place.path + [$0.name]).joined(separator: " ") }
    }
    return """
      # bash completion for \(root.name)
      _\(root.name)() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local path="" word candidate
        COMPREPLY=()
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          candidate="${path:+$path }$word"
          case "$candidate" in
            \(groups.map { "\"\($0)\"" }.joined(separator: "|"))) path="$candidate" ;;
          esac
        done
        case "$path" in
      \(cases.joined())  esac
      }
      complete -o filenames -F _\(root.name) \(root.name)

      """
  }

  private static func bashReply(_ completion: Completion, adds: Bool = false) -> String {
    let generated: String
    switch completion {
    case .none: return adds ? ":" : "COMPREPLY=()"
    case .files: generated = "-f"
    case .folders: generated = "-d"
    case .words(let words): generated = "-W \"\(words.joined(separator: " "))\""
    }
    return "COMPREPLY\(adds ? "+" : "")=($(compgen \(generated) -- \"$current\"))"
  }

  // MARK: zsh

  private static func zsh(_ root: CommandDescription) -> String {
    let functions = places(root).map { place -> String in
      let name = (["_" + root.name] + place.path).joined(separator: "_")
      let options = place.command.options.map { "    \(quoted(zshOption($0)))" }
      if place.command.subcommands.isEmpty {
        let arguments = place.command.arguments.map { argument in
          "    \(quoted("\(argument.isRepeated ? "*" : ""):\(argument.name):\(zshAction(argument.completion))"))"
        }
        return """
          \(name)() {
            _arguments -s -S \\
          \((options + arguments).joined(separator: " \\\n"))
          }

          """
      }
      let descriptions = place.command.subcommands.map {
        "    \(quoted("\($0.name):\($0.summary)"))"
      }
      let calls = place.command.subcommands.map { "      \($0.name)) \(name)_\($0.name) ;;" }
      return """
        \(name)() {
          local state line
          local -a commands=(
        \(descriptions.joined(separator: "\n"))
          )
          _arguments -C \\
        \(options.joined(separator: " \\\n")) \\
            '1: :->command' '*:: :->arguments'
          case $state in
          command) _describe command commands ;;
          arguments)
            case $line[1] in
        \(calls.joined(separator: "\n"))
            esac ;;
          esac
        }

        """
    }
    return "#compdef \(root.name)\n\n" + functions.joined(separator: "\n")
      + "\ncompdef _\(root.name) \(root.name)\n"
  }

  private static func zshOption(_ option: OptionDescription) -> String {
    let help = option.help.replacing("[", with: "(").replacing("]", with: ")")
      .replacing(":", with: ",")
    let value = option.value.map { _ in ":value:\(zshAction(option.completion))" } ?? ""
    return "\(option.isRepeated ? "*" : "")--\(option.name)[\(help)]\(value)"
  }

  private static func zshAction(_ completion: Completion) -> String {
    switch completion {
    case .none: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  // MARK: fish

  private static func fish(_ root: CommandDescription) -> String {
    var lines = ["# fish completion for \(root.name)", "complete -c \(root.name) -f"]
    for place in places(root) {
      let seen = place.path.map { "__fish_seen_subcommand_from \($0)" }
      let unseen =
        place.command.subcommands.isEmpty
        ? []
        : [
          "not __fish_seen_subcommand_from \(place.command.subcommands.map(\.name).joined(separator: " "))"
        ]
      let condition = (seen + unseen).joined(separator: "; and ")
      let prefix =
        "complete -c \(root.name)" + (condition.isEmpty ? "" : " -n \(quoted(condition))")
      for subcommand in place.command.subcommands {
        lines.append("\(prefix) -a \(subcommand.name) -d \(quoted(subcommand.summary))")
      }
      for option in place.command.options {
        let letter = option.letter.map { " -s \($0)" } ?? ""
        let value = option.value.map { _ in fishAction(option.completion) } ?? ""
        lines.append("\(prefix)\(letter) -l \(option.name)\(value) -d \(quoted(option.help))")
      }
      if place.command.arguments.contains(where: { $0.completion != .none }) {
        lines.append("\(prefix) -F")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func fishAction(_ completion: Completion) -> String {
    switch completion {
    case .none: " -x"
    case .files: " -r -F"
    case .folders: " -x -a '(__fish_complete_directories)'"
    case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
    }
  }

  /// `text` as one word of a shell.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
