// SPDX-License-Identifier: Apache-2.0

/// The completion script for fish: a line for each option and subcommand.
struct FishCompletion {
  private let root: CommandDescription

  init(_ root: CommandDescription) { self.root = root }

  var script: String {
    let lines = CompletionScript.locations(root).flatMap(lines)
    let heading = ["# fish completion for \(root.name)", "complete -c \(root.name) -f"]
    return (heading + lines).joined(separator: "\n") + "\n"
  }

  private func lines(_ location: CompletionScript.Location) -> [String] {
    let command = location.command
    var conditions = location.path.map { "__fish_seen_subcommand_from \($0)" }
    if !command.subcommands.isEmpty {
      let names = command.subcommands.map(\.name).joined(separator: " ")
      conditions.append("not __fish_seen_subcommand_from \(names)")
    }
    let condition = CompletionScript.quoted(conditions.joined(separator: "; and "))
    let start = "complete -c \(root.name) -n \(condition)"
    var lines = command.subcommands.map {
      "\(start) -a \($0.name) -d \(CompletionScript.quoted($0.summary))"
    }
    if location.path.isEmpty {
      let help = CompletionScript.quoted(OptionDescription.help.help)
      lines.append("\(start) -a \(CompletionScript.helpWord) -d \(help)")
    }
    lines += command.options.map { option in
      let letter = option.letter.map { " -s \($0)" } ?? ""
      let value = option.value == nil ? "" : Self.value(option.completion)
      let help = CompletionScript.quoted(option.help)
      return "\(start)\(letter) -l \(option.name)\(value) -d \(help)"
    }
    if command.arguments.contains(where: { $0.completion != .none }) { lines.append("\(start) -F") }
    return lines
  }

  private static func value(_ completion: Completion) -> String {
    switch completion {
    case .none: " -x"
    case .files: " -r -F"
    case .folders: " -x -a '(__fish_complete_directories)'"
    case .words(let words): " -x -a \(CompletionScript.quoted(words.joined(separator: " ")))"
    }
  }
}
