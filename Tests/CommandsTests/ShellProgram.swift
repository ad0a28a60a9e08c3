// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program of this system.
struct ShellProgram {
  /// Where it is; nil where this system does not have it.
  private let path: String?

  /// The program called `name`.
  init(_ name: String) {
    path = ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + name }
      .first(where: FileManager.default.isExecutableFile)
  }

  /// The program at `path`; nil where there is none.
  init?(path: String) {
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
    self.path = path
  }

  /// Whether this system has it.
  var exists: Bool { path != nil }

  /// Runs it to its end.
  ///
  /// - Returns: what it wrote on standard output and standard error, and its exit code.
  func run(_ arguments: [String], in folder: String = "/") throws -> (text: String, code: Int32) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: path ?? "")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }
}
