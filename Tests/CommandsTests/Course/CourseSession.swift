// SPDX-License-Identifier: Apache-2.0

import Commands
import Foundation

/// The commands of a console block and the output that the chapter shows for each.
struct CourseSession {
  /// A command line and the lines below it.
  struct Command {
    var line: String
    /// The number of its line in the chapter.
    let location: Int
    var shown: [String] = []
  }

  let commands: [Command]
  /// Whether numbers differ from run to run, and only the words are compared.
  let isTiming: Bool

  init(_ block: CourseChapter.Block) {
    isTiming = block.kind.split(separator: " ").contains("timing")
    var commands: [Command] = []
    var continues = false
    for (offset, line) in block.lines.enumerated() {
      if continues {
        commands[commands.count - 1].line += " " + line.trimmingCharacters(in: .whitespaces)
      } else if line.hasPrefix("$ ") {
        commands.append(Command(line: String(line.dropFirst(2)), location: block.line + offset))
      } else if !commands.isEmpty {
        commands[commands.count - 1].shown.append(line)
        continue
      }
      continues = commands.last?.line.hasSuffix("\\") ?? false
      if continues { commands[commands.count - 1].line.removeLast() }
    }
    self.commands = commands
  }

  /// Whether lines of output are those that a chapter shows.
  ///
  /// A line `…` stands for any number of lines, and a line that ends in `…` for all that begin so.
  static func matches(_ shown: [String], _ real: [String], isTiming: Bool = false) -> Bool {
    var runs: [[String]] = [[]]
    for line in shown {
      if line.trimmingCharacters(in: .whitespaces) == "…" {
        runs.append([])
      } else {
        runs[runs.count - 1].append(line)
      }
    }
    func agree(_ run: [String], at start: Int) -> Bool {
      start >= 0 && start + run.count <= real.count
        && zip(run, real[start...]).allSatisfy { agrees($0, $1, isTiming: isTiming) }
    }
    if runs.count == 1 { return shown.count == real.count && agree(shown, at: 0) }
    guard agree(runs[0], at: 0) else { return false }
    var next = runs[0].count
    for run in runs[1..<(runs.count - 1)] {
      guard let start = (next...max(next, real.count)).first(where: { agree(run, at: $0) }) else {
        return false
      }
      next = start + run.count
    }
    let last = runs[runs.count - 1]
    return real.count - last.count >= next && agree(last, at: real.count - last.count)
  }

  private static func agrees(_ shown: String, _ real: String, isTiming: Bool) -> Bool {
    let (shown, real) = (comparable(shown, isTiming), comparable(real, isTiming))
    return shown == real || shown.hasSuffix("…") && real.hasPrefix(shown.dropLast())
  }

  /// A line without trailing spaces; of a timing, without its numbers and the width of its gaps.
  private static func comparable(_ line: String, _ isTiming: Bool) -> String {
    var text = Substring(line)
    while text.last == " " { text.removeLast() }
    guard isTiming else { return String(text) }
    return String(text).replacing(#/[0-9]+(\.[0-9]+)?/#, with: "0").replacing(#/ +/#, with: " ")
  }
}
