// SPDX-License-Identifier: Apache-2.0

import Formatting
import GoldenCases
import JSONDocuments
import ModelFormat
import Npy

/// How many golden cases agree, by operator and type or by model.
struct GoldenReport {
  /// The cases of one operator and type, or of one model.
  struct Tally {
    var exact = 0
    var within = 0
    var failed = 0
    var cases: Int { exact + within + failed }

    mutating func count(_ agreement: Agreement) {
      switch agreement {
      case .exact: exact += 1
      case .within: within += 1
      case .differs: failed += 1
      }
    }
  }

  let groups: [(name: String, tally: Tally)]
  let total: Tally
  let failures: [(folder: String, reason: String)]
  /// How many cases come from where.
  let provenances: [(words: String, count: Int)]

  init(_ results: [GoldenResult]) {
    var tallies: [String: Tally] = [:]
    var total = Tally()
    var failures: [(String, String)] = []
    for result in results {
      tallies[result.group, default: Tally()].count(result.agreement)
      total.count(result.agreement)
      if case .differs(let reason) = result.agreement {
        failures.append((result.folder, reason))
      }
    }
    groups = tallies.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    self.total = total
    self.failures = failures
    provenances = Dictionary(grouping: results, by: \.provenance).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.count) }
  }

  /// The failures, then a table.
  var text: String {
    let rows =
      [["", "cases", "exact", "within", "failed"]]
      + (groups + [("total", total)]).map { name, tally in
        [name, "\(tally.cases)", "\(tally.exact)", "\(tally.within)", "\(tally.failed)"]
      }
    // The folder leads to the file.
    let lines = failures.map { folder, reason in
      "failed: \(folder.printable)\n" + "  \(reason)".narrowUnlessPath
    }
    return (lines + [TextTable(rows, shortening: [0]).text]).joined(separator: "\n")
  }

  /// Where the expected outputs come from, a line for each source.
  var provenance: String {
    provenances.map { words, count in
      // A name and what it is stay on one line.
      let colon = (plain: ": ", bound: ":\u{A0}")
      let source = words.printable.replacing(text: colon.plain, with: colon.bound)
      let sentence =
        words.isEmpty ? "do not say where their outputs come from" : "from \(source)"
      return "\(count) of \(total.cases) \(sentence)".narrow
        .replacing(text: colon.bound, with: colon.plain) + "\n"
    }.joined()
  }

  /// The report for a program.
  func json(_ computation: ComputationOptions) -> JSON {
    func members(_ tally: Tally) -> JSON {
      [
        "cases": .integer(tally.cases), "exact": .integer(tally.exact),
        "within_tolerance": .integer(tally.within), "failed": .integer(tally.failed),
      ]
    }
    let groups = groups.map { name, tally in
      JSON.record(["name": .string(name)]).adding(members(tally))
    }
    let failures = failures.map { folder, reason -> JSON in
      ["case": .string(folder), "reason": .string(reason)]
    }
    return JSON.record(["schema": "martlet/verify/1"]).adding(computation.members)
      .adding(members(total)).adding([
        "groups": .array(groups), "failures": .array(failures),
        "provenance": .array(
          provenances.map { words, count in
            ["source": .string(words), "cases": .integer(count)]
          }),
      ])
  }
}
