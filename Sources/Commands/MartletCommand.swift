// SPDX-License-Identifier: Apache-2.0

@_exported public import CommandCore
import FileAccess
import JSONDocuments
import Martlet

/// The command line as a whole: finds the subcommand, runs it, and turns errors into words.
package enum MartletCommand {
  /// The version that `--version` prints.
  package static let version = Engine.version

  /// Every subcommand.
  package static let root = CommandDescription(
    "martlet", "Run TensorFlow Lite models, and see how they compute.",
    options: [
      .flag("version", "Show the version."),
      .flag("json", "With --version: print what this build is as one JSON document."),
      .value(
        "generate-completion-script", "shell", "Print a completion script for bash, zsh or fish.",
        completion: .words(CompletionScript.shells)),
      .flag("generate-manual", "Print the manual page martlet(1)."),
    ],
    subcommands: subcommands)

  /// Runs the command that `arguments`, without the program's name, call.
  ///
  /// - Returns: the exit code.
  package static func run(_ arguments: [String], console: any Console) -> Int32 {
    console.exitCode { () throws(CommandError) in
      try dispatch(arguments[...], root, command: root.name, console)
    }
  }

  private static func dispatch(
    _ words: ArraySlice<String>, _ description: CommandDescription, command: String,
    _ console: any Console
  ) throws(CommandError) -> ExitCode {
    guard let action = description.action else {
      return try dispatch(toGroup: words, description, command: command, console)
    }
    switch try ArgumentReader.read(words, for: description, command: command) {
    case .help:
      try console.printData(Array(HelpText.text(for: description, command: command).utf8))
      return .success
    case .run(let arguments):
      return try action(
        arguments, LimitedConsole(console, limits: try LimitOption.limits(arguments)))
    }
  }

  private static func dispatch(
    toGroup words: ArraySlice<String>, _ description: CommandDescription, command: String,
    _ console: any Console
  ) throws(CommandError) -> ExitCode {
    if let first = words.first, !first.hasPrefix("-") {
      return try dispatch(toSubcommand: words, description, command: command, console)
    }
    // Only the group's own options may stand where a subcommand would.
    switch try ArgumentReader.read(words, for: description, command: command) {
    case .help: break
    case .run(let arguments):
      if try runRootOption(arguments, console) { return .success }
      if words.isEmpty, command == root.name {
        try console.print(firstSteps)
        return .success
      }
    }
    try console.printData(Array(HelpText.text(for: description, command: command).utf8))
    return .success
  }

  private static func dispatch(
    toSubcommand words: ArraySlice<String>, _ description: CommandDescription, command: String,
    _ console: any Console
  ) throws(CommandError) -> ExitCode {
    let (name, rest) = (words[words.startIndex], words.dropFirst())
    if let subcommand = description.subcommand(name) {
      return try dispatch(rest, subcommand, command: "\(command) \(name)", console)
    }
    if name == CompletionScript.helpWord, command == root.name {
      return try showHelp(of: rest, description, command: command, console)
    }
    throw .usage(
      "unknown subcommand '\(name)'", command: command,
      hint: Suggestion.hint(for: name, among: description.subcommands.map(\.name)))
  }

  private static func showHelp(
    of path: ArraySlice<String>, _ description: CommandDescription, command: String,
    _ console: any Console
  ) throws(CommandError) -> ExitCode {
    guard let name = path.first, !name.hasPrefix("-") else {
      try console.printData(Array(HelpText.text(for: description, command: command).utf8))
      return .success
    }
    guard let subcommand = description.subcommand(name) else {
      throw .usage(
        "unknown subcommand '\(name)'", command: command,
        hint: Suggestion.hint(for: name, among: description.subcommands.map(\.name)))
    }
    return try showHelp(
      of: path.dropFirst(), subcommand, command: "\(command) \(name)", console)
  }

  /// Does what an option of the program itself asks for; false where there is none.
  private static func runRootOption(
    _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> Bool {
    if arguments.flag("version") {
      if arguments.flag("json") {
        try console.print(BuildFacts().json)
      } else {
        try console.print(version)
      }
      return true
    }
    if arguments.flag("json") { throw arguments.usage("--json without --version") }
    if arguments.flag("generate-manual") {
      let date = SourceDate(console.environment("SOURCE_DATE_EPOCH"))?.text.prefix(10) ?? ""
      let page = ManualPage(root, version: version, date: String(date))
      try console.printData(Array(page.source.utf8))
      return true
    }
    guard let shell = arguments.value("generate-completion-script"),
      let script = CompletionScript.script(for: shell, of: root)
    else { return false }
    try console.printData(Array(script.utf8))
    return true
  }
}
