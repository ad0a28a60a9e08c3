// SPDX-License-Identifier: Apache-2.0

import Commands
import FetchCommands
import FileAccess
import Foundation

/// A console that keeps what is printed, and a folder that goes away with it.
final class CapturedConsole: Console {
  private(set) var output: [UInt8] = []
  private(set) var errors = ""
  var input: [UInt8] = []
  var variables: [String: String] = [:]
  /// What printing on standard output ends in; nil where it succeeds.
  var outputFailure: FileSystemError?
  /// Told after every write on standard output.
  var didWrite: () -> Void = {}
  /// A folder of this console's own.
  let folder: String

  init() {
    folder = FileManager.default.temporaryDirectory.path + "/martlet-\(UUID().uuidString)"
    try? Folder.create(at: folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func write(_ bytes: [UInt8]) throws(FileSystemError) {
    if let outputFailure { throw outputFailure }
    output += bytes
    didWrite()
  }

  func note(_ text: String) { errors += text }

  func readInput() throws(FileSystemError) -> [UInt8] { input }

  /// What gives standard input piece by piece; all of `input` unless a test says otherwise.
  var stream: (any StreamedInput)?

  func streamInput() throws(FileSystemError) -> any StreamedInput {
    stream ?? CapturedInput([input])
  }

  func environment(_ name: String) -> String? { variables[name] }

  /// The program that should have replaced the process, and its arguments.
  private(set) var program: (path: String, arguments: [String])?

  func becomeProgram(at path: String, _ arguments: [String]) -> Int32 {
    program = (path, arguments)
    return ENOENT
  }

  var showsProgress: Bool { false }

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard output with a space for each gap between words, wherever lines are broken.
  var flowingText: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// Runs a command line, split at spaces; `DIR` stands for the console's folder.
  @discardableResult
  func run(_ line: String) -> Int32 { MartletCommand.run(words(line), console: self) }

  /// Runs a command line of `martlet-fetch`.
  @discardableResult
  func fetch(_ line: String) -> Int32 { FetchProgram.run(words(line), console: self) }

  private func words(_ line: String) -> [String] {
    line.split(separator: " ").map { String($0).replacing("DIR", with: folder) }
  }

  /// The console with nothing printed yet.
  func cleared() -> CapturedConsole {
    (output, errors) = ([], "")
    return self
  }

  /// Writes a file into the folder.
  func put(_ bytes: [UInt8], _ name: String) throws {
    try OutputFile.write(bytes, to: "\(folder)/\(name)")
  }
}
