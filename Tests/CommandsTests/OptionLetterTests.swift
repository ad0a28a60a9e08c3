// SPDX-License-Identifier: Apache-2.0

import Commands
import Testing

/// Options of one letter, and what is shown first.
@Suite struct OptionLetterTests {
  /// Every command that does something, with the words that call it.
  private func commands(
    _ command: CommandDescription, _ path: [String] = []
  ) -> [(path: [String], command: CommandDescription)] {
    (command.action == nil ? [] : [(path, command)])
      + command.subcommands.flatMap { commands($0, path + [$0.name]) }
  }

  /// `--output` and `--output-dir` are where a command's results go: a file, or a folder.
  private static let sharedLetters: [Character: Set<String>] = ["o": ["output", "output-dir"]]

  @Test func `a letter means the same option everywhere`() {
    var names: [Character: Set<String>] = [:]
    for (_, command) in commands(MartletCommand.root) {
      for option in command.options {
        if let letter = option.letter { names[letter, default: []].insert(option.name) }
      }
    }
    for (letter, names) in names {
      #expect(names.count == 1 || names == Self.sharedLetters[letter], "\(letter): \(names)")
    }
  }

  @Test func `an option that has a letter has it everywhere`() {
    let all = commands(MartletCommand.root)
    var letters: [String: Character] = [:]
    for (_, command) in all {
      for option in command.options where option.letter != nil {
        letters[option.name] = option.letter
      }
    }
    for (path, command) in all {
      // A command with both options has the letter for the file.
      let hasFile = command.options.contains { $0.name == "output" }
      for option in command.options where !(hasFile && option.name == "output-dir") {
        // The position of an input, where others name a file for it.
        if path == ["metadata", "add"], option.name == "input" { continue }
        #expect(option.letter == letters[option.name], "\(path) --\(option.name)")
      }
    }
  }

  @Test func `options have one description in a command`() {
    for (path, command) in commands(MartletCommand.root) {
      let names = command.options.map(\.name)
      #expect(Set(names).count == names.count, "\(path)")
    }
  }

  @Test func `without arguments, the commands that a newcomer needs are shown`() {
    let console = CapturedConsole()
    #expect(console.run("") == 0)
    let lines = console.text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 60 })
    for command in ["label", "detect", "run", "inspect", "check"] {
      #expect(lines.contains { $0.hasPrefix("  martlet \(command) ") }, "\(command)")
      #expect(MartletCommand.root.subcommand(command) != nil)
    }
    #expect(console.text.contains("'martlet help' lists all"))
  }
}
