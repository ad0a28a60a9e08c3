// SPDX-License-Identifier: Apache-2.0

import Formatting

/// The completion script for zsh: a function for each command, in terms of `_arguments`.
struct ZshCompletion {
  private let root: CommandDescription

  init(_ root: CommandDescription) { self.root = root }

  var script: String {
    let functions = CompletionScript.locations(root).map { location in
      location.command.subcommands.isEmpty ? leaf(location) : group(location)
    }
    // A file on the `fpath` is itself the body of the function when it is first called.
    return """
      #compdef \(root.name)

      \(functions.joined(separator: "\n"))
      if [ "$funcstack[1]" = "_\(root.name)" ]; then
        _\(root.name) "$@"
      else
        compdef _\(root.name) \(root.name)
      fi

      """
  }

  private func name(_ location: CompletionScript.Location) -> String {
    (["_" + root.name] + location.path).joined(separator: "_")
  }

  /// A command that does something.
  private func leaf(_ location: CompletionScript.Location) -> String {
    let arguments = location.command.arguments.map { argument in
      let repeats = argument.isRepeated ? "*" : ""
      return CompletionScript.quoted(
        "\(repeats):\(argument.name):\(Self.action(argument.completion))")
    }
    return """
      \(name(location))() {
        _arguments -s -S \(Self.lines(location.command.options.map(Self.option) + arguments))
      }

      """
  }

  /// A command that others follow.
  private func group(_ location: CompletionScript.Location) -> String {
    var commands = location.command.subcommands.map {
      "    " + CompletionScript.quoted("\($0.name):\($0.summary)")
    }
    var calls = location.command.subcommands.map {
      "      \($0.name)) \(name(location))_\($0.name) ;;"
    }
    if location.path.isEmpty {
      commands.append("    \(Self.help)")
      calls.append("      \(CompletionScript.helpWord)) _describe command commands ;;")
    }
    let states = ["'1: :->command'", "'*:: :->arguments'"]
    return """
      \(name(location))() {
        local state line
        local -a commands=(
      \(commands.joined(separator: "\n"))
        )
        _arguments -C \(Self.lines(location.command.options.map(Self.option) + states))
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

  /// What is said of the word `help`.
  private static let help = CompletionScript.quoted(
    "\(CompletionScript.helpWord):\(OptionDescription.help.help)")

  private static func lines(_ words: [String]) -> String {
    words.map { "\\\n    " + $0 }.joined(separator: " ")
  }

  private static func option(_ option: OptionDescription) -> String {
    let help = option.help.replacing(text: "[", with: "(").replacing(text: "]", with: ")")
      .replacing(text: ":", with: ",")
    let value = option.value == nil ? "" : ":value:\(action(option.completion))"
    let repeats = option.isRepeated ? "*" : ""
    let spellings = option.spellings.map { spelling in
      // `--option=value` and `-ovalue` are ways to write it, too.
      let joined = option.value == nil ? "" : spelling.hasPrefix("--") ? "=" : "+"
      return CompletionScript.quoted("\(repeats)\(spelling)\(joined)[\(help)]\(value)")
    }
    return spellings.joined(separator: " \\\n    ")
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .none: " "
    case .files(let extensions):
      extensions.isEmpty ? "_files" : "_files -g \"*.(\(extensions.joined(separator: "|")))\""
    case .folders: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }
}
