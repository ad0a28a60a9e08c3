// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostileInputs

/// Gives many changed files to one way into the library, and counts what becomes of them.
///
///     RobustnessSweep TARGET CHANGE FIRST LAST STATE FILE…
///
/// Cases FIRST to LAST - 1 of those that CHANGE makes of the files are tried; without LAST (`-`)
/// all that there are. The number of the case at hand lies in the file STATE, so that whoever
/// started the process can tell which one ended it. Prints one JSON document in the end. A case
/// that takes more than ten seconds ends the process with 99.
@main
enum RobustnessSweep {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 6, let target = FuzzTarget(rawValue: words[0]),
      let change = FileChange(rawValue: words[1]), let first = Int(words[2])
    else {
      print("usage: RobustnessSweep TARGET CHANGE FIRST LAST|- STATE FILE…")
      exit(64)
    }
    let files = try words.dropFirst(5).map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
    let all = change.caseCount(of: files)
    guard let last = Int(words[3]) ?? all, first >= 0, first <= last,
      all.map({ last <= $0 }) ?? true
    else {
      print("no cases from \(first) to \(words[3])")
      exit(64)
    }
    let progress = try CaseProgress(path: words[4])
    var counts = SweepCounts()
    for number in first..<last {
      progress.begin(number)
      counts.add(target.run(change.applied(to: files, number)), number)
    }
    progress.end()
    print(String(decoding: try JSONEncoder().encode(counts), as: UTF8.self))
  }
}

/// What became of the cases.
struct SweepCounts: Encodable {
  /// Cases that were taken.
  private(set) var accepted = 0
  /// Cases that were refused with an error.
  private(set) var refused = 0
  /// The first cases whose error is no single line of text, by their number.
  private(set) var badErrors: [Int: String] = [:]

  /// Counts a case that ended in `error`.
  mutating func add(_ error: String?, _ number: Int) {
    guard let error else {
      accepted += 1
      return
    }
    refused += 1
    let isLine =
      !error.isEmpty && error.utf8.count <= 2000
      && !error.unicodeScalars.contains { $0.properties.generalCategory == .control }
    if !isLine, badErrors.count < 5 { badErrors[number] = error }
  }
}
