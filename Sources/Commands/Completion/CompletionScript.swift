// SPDX-License-Identifier: Apache-2.0

import Formatting

/// Scripts that teach a shell to complete a command's words.
enum CompletionScript {
  /// The shells with a script.
  static let shells = ["bash", "zsh", "fish"]

  /// The script for `shell`; nil for another shell.
  static func script(for shell: String, of root: CommandDescription) -> String? {
    switch shell {
    case "bash": BashCompletion(root).script
    case "zsh": ZshCompletion(root).script
    case "fish": FishCompletion(root).script
    case _: nil
    }
  }

  /// A command with the words that lead to it from the root.
  struct Location {
    let path: [String]
    let command: CommandDescription
  }

  /// The root and everything below.
  static func locations(_ command: CommandDescription, _ path: [String] = []) -> [Location] {
    [Location(path: path, command: command)]
      + command.subcommands.flatMap { locations($0, path + [$0.name]) }
  }

  /// The words that may follow those of a group of commands.
  static func followers(of location: Location) -> [String] {
    location.command.subcommands.map(\.name) + (location.path.isEmpty ? [helpWord] : [])
  }

  /// The word that shows the help of the commands that follow it.
  static let helpWord = "help"

  /// `text` as one word of a shell.
  static func quoted(_ text: String) -> String {
    "'" + text.replacing(text: "'", with: "'\\''") + "'"
  }
}

extension OptionDescription {
  /// The ways to write the option.
  var spellings: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }
}
