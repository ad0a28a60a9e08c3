// SPDX-License-Identifier: Apache-2.0

@_exported public import CommandCore
import Martlet

/// The program `martlet-fetch`: downloads models for `martlet fetch`.
package enum FetchProgram {
  private static let name = "martlet-fetch"

  /// The command as this program has it.
  private static let description = CommandDescription.fetch(
    adding: [.flag("version", "Show the version.")], action: FetchCommand.run)

  /// Runs `martlet fetch` with these words, which follow the program's name.
  ///
  /// Errors name the command that people call.
  ///
  /// - Returns: the exit code.
  package static func run(_ words: [String], console: any Console) -> Int32 {
    console.exitCode { () throws(CommandError) in
      if words.first == "--version" {
        try console.print(Engine.version)
        return .success
      }
      switch try ArgumentReader.read(words[...], for: description, command: "martlet fetch") {
      case .help:
        try console.printData(Array(HelpText.text(for: description, command: name).utf8))
        return .success
      case .run(let arguments):
        return try FetchCommand.run(arguments, console)
      }
    }
  }
}
