// SPDX-License-Identifier: Apache-2.0

import BundledModels
import FileAccess

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// `martlet fetch`: checks the command line, and has the program `martlet-fetch` do the rest.
///
/// Downloads need Foundation and libcurl, which no other command needs; see
/// Docs/Decisions/0013-downloads-are-a-program.md.
enum FetchCommand {
  static let description = CommandDescription.fetch { arguments, console throws(CommandError) in
    // The folder is known wherever the system tells programs their paths.
    let path = [BundledModels.executableFolder, program].compactMap(\.self).joined(separator: "/")
    let code = console.becomeProgram(at: path, arguments.words)
    let problem =
      code == ENOENT
      ? "is missing" : "cannot be run: \(FileSystemError(.read, path: path, code: code).reason)"
    throw .missing(
      "the program that downloads models \(problem)", location: path,
      hint: "'swift build -c release --product \(program)' makes it; it belongs beside martlet")
  }

  /// The program's name; it lies beside this one.
  static let program = "martlet-fetch"
}
