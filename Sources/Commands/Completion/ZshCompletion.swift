// SPDX-License-Identifier: Apache-2.0

/// The completion script for zsh: a function for each command, in terms of `_arguments`.
struct ZshCompletion {
  private let root: CommandDescription

  init(_ root: CommandDescription) { self.root = root }

  var script: String {
    let functions = CompletionScript.places(root).map { place in
      place.command.subcommands.isEmpty ? leaf(place) : group(place)
    }
    return "#compdef \(root.name)\n\n" + functions.joined(separator: "\n")
      + "\ncompdef _\(root.name) \(root.name)\n"
  }

  private func name(_ place: CompletionScript.Place) -> String {
    (["_" + root.name] + place.path).joined(separator: "_")
  }

  /// A command that does something.
  private func leaf(_ place: CompletionScript.Place) -> String {
    let arguments = place.command.arguments.map { argument in
      let repeats = argument.isRepeated ? "*" : ""
      return CompletionScript.quoted(
        "\(repeats):\(argument.name):\(Self.action(argument.completion))")
    }
    return """
      \(name(place))() {
        _arguments -s -S \(Self.lines(place.command.options.map(Self.option) + arguments))
      }

      """
  }

  /// A command that others follow.
  private func group(_ place: CompletionScript.Place) -> String {
    let commands = place.command.subcommands.map {
      "    " + CompletionScript.quoted("\($0.name):\($0.summary)")
    }
    let calls = place.command.subcommands.map { "      \($0.name)) \(name(place))_\($0.name) ;;" }
    let states = ["'1: :->command'", "'*:: :->arguments'"]
    return """
      \(name(place))() {
        local state line
        local -a commands=(
      \(commands.joined(separator: "\n"))
        )
        _arguments -C \(Self.lines(place.command.options.map(Self.option) + states))
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

  private static func lines(_ words: [String]) -> String {
    words.map { "\\\n    " + $0 }.joined(separator: " ")
  }

  private static func option(_ option: OptionDescription) -> String {
    let help = option.help.replacing("[", with: "(").replacing("]", with: ")")
      .replacing(":", with: ",")
    let value = option.value == nil ? "" : ":value:\(action(option.completion))"
    let repeats = option.isRepeated ? "*" : ""
    let spellings = option.spellings.map {
      CompletionScript.quoted("\(repeats)\($0)[\(help)]\(value)")
    }
    return spellings.joined(separator: " \\\n    ")
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .none: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }
}
