// SPDX-License-Identifier: Apache-2.0

import Formatting
import Martlet

/// Times and rates in columns, with their units in the heading.
struct ProfileTable {
  /// A line.
  struct Row {
    /// What the line is about, in the tables of times and of rates.
    let name: String
    /// Its operator and kernel, and how many nodes there are.
    let details: [String]
    let milliseconds: Double
    let work: ProfiledWork
    /// The shapes of a node.
    var shapes = ""
  }

  private let name: String
  private let details: [String]
  private let kernelColumn: Int
  private let total: Double
  private let rows: [Row]

  /// A table of `rows`, whose names and details are called so; `kernelColumn` is the detail that
  /// may be shortened, and `total` milliseconds are 100 %.
  init(
    _ name: String, _ details: [String], kernelColumn: Int, total: Double, _ rows: [Row]
  ) {
    self.name = name
    self.details = details
    self.kernelColumn = kernelColumn
    self.total = total
    self.rows = rows
  }

  /// The tables of times, of rates and, for nodes, of shapes, without a final line break.
  var text: String { [timeText, rateText, shapeText].compactMap(\.self).joined(separator: "\n\n") }

  private var timeText: String {
    let time = TimeUnit(for: total)
    let lines = rows.map { row in
      [row.name] + row.details
        + [
          time.text(row.milliseconds), (total > 0 ? 100 * row.milliseconds / total : 0).fixed(1),
        ]
    }
    return TextTable(
      [[name] + details + [time.name, "%"]] + lines, left: Set(0...kernelColumn + 1),
      shortening: [kernelColumn + 1, kernelColumn, 0]
    ).text
  }

  private var rateText: String {
    let macs = DecimalPrefix(largest: rows.compactMap(\.work.multiplyAdds).max() ?? 0)
    let bytes = DecimalPrefix(largest: rows.compactMap(\.work.movedByteCount).max() ?? 0)
    let lines = rows.map { row in
      let (milliseconds, work) = (row.milliseconds, row.work)
      let cells: [String?] = [
        macs.text(work.multiplyAdds), work.gigaMACs(in: milliseconds).map(\.threeDigits),
        bytes.text(work.movedByteCount), work.gigabytes(in: milliseconds).map(\.threeDigits),
        work.limitPercent(in: milliseconds).map { $0.fixed(0) }, work.bound?.rawValue,
      ]
      return [row.name] + cells.map { $0 ?? "" }
    }
    return TextTable(
      [[name, "\(macs.letter)MAC", "GMAC/s", "\(bytes.letter)B", "GB/s", "% of", "limit"]] + lines,
      left: [0, 6], shortening: [0]
    ).text
  }

  private var shapeText: String? {
    guard rows.contains(where: { !$0.shapes.isEmpty }) else { return nil }
    return TextTable(
      [[name, "inputs → outputs"]] + rows.map { [$0.name, $0.shapes] }, left: [0, 1],
      wrapsLastColumn: true
    ).text
  }
}

/// The unit in which times of a profile are neither long nor all zeros.
struct TimeUnit {
  /// `ms` or `µs`.
  let name: String
  private let factor: Double
  private let digits: Int

  /// The unit for parts of so many milliseconds.
  init(for milliseconds: Double) {
    (name, factor) = milliseconds < 1 ? ("µs", 1000) : ("ms", 1)
    digits = milliseconds < 1 ? (milliseconds < 0.1 ? 2 : 1) : 3
  }

  /// The number in this unit.
  func text(_ milliseconds: Double) -> String { (milliseconds * factor).fixed(digits) }
}

/// The decimal unit in which numbers of a column are short.
struct DecimalPrefix {
  /// The letter before the unit.
  let letter: String
  private let factor: Double

  /// The prefix for a column with this number.
  init(largest: Double) {
    switch largest {
    case 1e9...: (letter, factor) = ("G", 1e9)
    case 1e6..<1e9: (letter, factor) = ("M", 1e6)
    case _: (letter, factor) = ("k", 1e3)
    }
  }

  /// The number in this unit; nothing for 0, and a question mark where it is not known.
  func text(_ value: Double?) -> String? {
    guard let value else { return "?" }
    return value == 0 ? nil : (value / factor).fixed(2)
  }
}

extension Double {
  /// The number with three significant digits, or more of those before the point.
  var threeDigits: String { fixed(self >= 99.95 ? 0 : self >= 9.995 ? 1 : 2) }
}
