// SPDX-License-Identifier: Apache-2.0

package import FileAccess
import Formatting
package import JSONDocuments
package import ResourceLimits

/// Where a command reads and prints: the process's own streams, or a test's.
package protocol Console: AnyObject {
  /// Prints data on standard output.
  func write(_ bytes: [UInt8]) throws(FileSystemError)

  /// Prints a note, warning or error on standard error.
  func note(_ text: String)

  /// Everything on standard input.
  func readInput() throws(FileSystemError) -> [UInt8]

  /// Standard input, to be read piece by piece instead of `readInput`; signals stop it from
  /// here on. A command asks once.
  func streamInput() throws(FileSystemError) -> any StreamedInput

  /// The value of an environment variable.
  func environment(_ name: String) -> String?

  /// Whether standard error is a terminal, so that progress may be shown.
  var showsProgress: Bool { get }

  /// Replaces the process by the program at `path`, which gets these arguments.
  ///
  /// - Returns: only where that cannot be done: the system's error number.
  func becomeProgram(at path: String, _ arguments: [String]) -> Int32

  /// What files that the command reads may take.
  var limits: Limits { get }
}

extension Console {
  /// The limits where the command line sets none.
  package var limits: Limits { Limits() }

  /// The exit code of `command`; what it throws is printed on standard error.
  package func exitCode(of command: () throws(CommandError) -> ExitCode) -> Int32 {
    do throws(CommandError) { return try command().rawValue } catch {
      // Whoever read standard output has seen enough.
      if case .file(let error) = error, error.isBrokenPipe { return ExitCode.inputOutput.rawValue }
      let diagnostic = Diagnostic(error)
      note(diagnostic.text)
      return diagnostic.code.rawValue
    }
  }

  /// Prints a line, or several, on standard output; a terminal shows all of its characters.
  package func print(_ line: String) throws(CommandError) {
    try printData(Array((line.terminalText + "\n").utf8))
  }

  /// Prints a document on standard output.
  package func print(_ document: JSON) throws(CommandError) {
    // Its strings are escaped.
    try printData(Array((document.prettyText + "\n").utf8))
  }

  /// Prints bytes on standard output.
  package func printData(_ bytes: [UInt8]) throws(CommandError) {
    do throws(FileSystemError) { try write(bytes) } catch { throw .file(error) }
  }

  /// The content of the file at `path`; `-` is standard input.
  package func read(_ path: String) throws(CommandError) -> [UInt8] {
    do throws(FileSystemError) {
      return path == "-" ? try readInput() : try InputFile.bytes(at: path)
    } catch {
      throw .file(error)
    }
  }

  /// Writes a file as a whole; `-` is standard output.
  package func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
    guard path != "-" else { return try printData(bytes) }
    do throws(FileSystemError) { try OutputFile.write(bytes, to: path) } catch {
      throw .file(error)
    }
  }
}
