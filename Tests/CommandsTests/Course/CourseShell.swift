// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import Foundation

/// Runs the commands of one chapter: paths start at the repository's root, `out/` is a folder of
/// the chapter's own.
///
/// Of other programs it knows as much of `xxd` and `cp` as the chapters need.
final class CourseShell {
  private let scratch = CapturedConsole()

  /// What a terminal would show of a command line; nil where it is no command of a chapter.
  func run(_ line: String) throws -> [String]? {
    let showsCode = line.hasSuffix(Self.codeEcho)
    var words = Self.words(showsCode ? String(line.dropLast(Self.codeEcho.count)) : line)
    guard !words.isEmpty else { return nil }
    let program = words.removeFirst()
    let paths = words.map { located($0) }
    switch program {
    case "martlet":
      let terminal = Terminal()
      let code = MartletCommand.run(paths, console: terminal)
      var lines = shown(terminal.text)
      // What fails unannounced differs from the chapter.
      if showsCode || code != 0 { lines.append("\(code)") }
      return lines
    case "xxd" where paths.count == 5 && paths[0] == "-s" && paths[2] == "-l":
      guard let start = HexDump.offset(paths[1]), let count = Int(paths[3]) else { return nil }
      return HexDump.lines(of: try InputFile.bytes(at: paths[4]), from: start, count: count)
    case "cp" where paths.count == 2:
      try OutputFile.write(try InputFile.bytes(at: paths[0]), to: paths[1])
      return []
    case "echo" where paths.count == 6 && paths[1] == "|" && paths[2] == "xxd":
      guard let (offset, byte) = HexDump.patch(paths[0]), paths[3...4] == ["-r", "-"] else {
        return nil
      }
      var bytes = try InputFile.bytes(at: paths[5])
      guard bytes.indices.contains(offset) else { return nil }
      bytes[offset] = byte
      try OutputFile.write(bytes, to: paths[5])
      return []
    default: return nil
    }
  }

  private static let codeEcho = "; echo $?"

  /// The lines of a text, with paths as the chapters write them.
  private func shown(_ text: String) -> [String] {
    var lines = text.replacing(scratch.folder + "/", with: "out/")
      .replacing(CourseChapter.root + "/", with: "")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The word with the folder that a path in it starts from.
  private func located(_ word: String) -> String {
    var result = word
    let folders =
      [("out/", scratch.folder + "/")]
      + ["Models/", "Tests/", "Examples/"].map { ($0, "\(CourseChapter.root)/\($0)") }
    for (name, path) in folders {
      if result.hasPrefix(name) {
        result = path + result.dropFirst(name.count)
      } else {
        result = result.replacing("=" + name, with: "=" + path)
      }
    }
    return result
  }

  /// The words of a line; those in single quotes are one.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
      words += index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
    return words
  }
}

/// A console that shows both streams in one order, as a terminal does.
private final class Terminal: Console {
  private var shown: [UInt8] = []

  var text: String { String(decoding: shown, as: UTF8.self) }

  func write(_ bytes: [UInt8]) throws(FileSystemError) { shown += bytes }

  func note(_ text: String) { shown += Array(text.utf8) }

  func readInput() throws(FileSystemError) -> [UInt8] { [] }

  func streamInput() -> any StreamedInput { CapturedInput([]) }

  func environment(_ name: String) -> String? { nil }

  func becomeProgram(at path: String, _ arguments: [String]) -> Int32 { ENOENT }

  var showsProgress: Bool { false }
}

/// The form of `xxd`.
private enum HexDump {
  /// Rows of 16 bytes with their offset and their letters.
  static func lines(of file: [UInt8], from start: Int, count: Int) -> [String] {
    let bytes = Array(file.dropFirst(start).prefix(count))
    return stride(from: 0, to: bytes.count, by: 16).map { first in
      let row = bytes[first..<min(first + 16, bytes.count)]
      var text = String(format: "%08x: ", start + first)
      for (column, byte) in row.enumerated() {
        text += String(format: "%02x", byte) + (column % 2 == 1 ? " " : "")
      }
      let letters = row.map { (32..<127).contains($0) ? String(UnicodeScalar($0)) : "." }
      return text.padding(toLength: 51, withPad: " ", startingAt: 0) + letters.joined()
    }
  }

  /// A number as `-s` takes it: decimal, or hexadecimal behind `0x`.
  static func offset(_ text: String) -> Int? {
    text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
  }

  /// The offset and the byte of `16ec: 12`.
  static func patch(_ text: String) -> (offset: Int, byte: UInt8)? {
    let parts = text.split(separator: ": ")
    guard parts.count == 2, let offset = Int(parts[0], radix: 16),
      let byte = UInt8(parts[1], radix: 16)
    else { return nil }
    return (offset, byte)
  }
}
