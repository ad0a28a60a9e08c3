// SPDX-License-Identifier: Apache-2.0

import Formatting
import Martlet

/// Times and rates in columns, with their units in the heading.
struct ProfileTable {
  /// A line.
  struct Row {
    /// What the line is about.
    let leading: [String]
    let milliseconds: Double
    let work: ProfiledWork
    /// What there is to add.
    var trailing = ""
  }

  private let leading: [String]
  private let leftColumns: Set<Int>
  private let total: Double
  private let rows: [Row]

  /// A table of `rows`, whose first columns have these names; `total` milliseconds are 100 %.
  init(_ leading: [String], left leftColumns: Set<Int>, total: Double, _ rows: [Row]) {
    self.leading = leading
    self.leftColumns = leftColumns
    self.total = total
    self.rows = rows
  }

  /// The table without a final line break.
  var text: String {
    let time = TimeUnit(for: total)
    let macs = DecimalPrefix(largest: rows.compactMap(\.work.multiplyAdds).max() ?? 0)
    let bytes = DecimalPrefix(largest: rows.compactMap(\.work.movedByteCount).max() ?? 0)
    let heading =
      leading + [
        time.name, "%", "\(macs.letter)MAC", "GMAC/s", "\(bytes.letter)B", "GB/s", "% of limit",
        "limit", rows.contains { !$0.trailing.isEmpty } ? "inputs → outputs" : "",
      ]
    let lines = rows.map { row in
      let (milliseconds, work) = (row.milliseconds, row.work)
      let cells: [String?] = [
        time.text(milliseconds), (total > 0 ? 100 * milliseconds / total : 0).fixed(1),
        macs.text(work.multiplyAdds), work.gigaMACs(in: milliseconds).map(\.threeDigits),
        bytes.text(work.movedByteCount), work.gigabytes(in: milliseconds).map(\.threeDigits),
        work.limitPercent(in: milliseconds).map { $0.fixed(0) }, work.bound?.rawValue,
        row.trailing,
      ]
      return row.leading + cells.map { $0 ?? "" }
    }
    let left = leftColumns.union([leading.count + 7, leading.count + 8])
    return TextTable([heading] + lines, left: left).text
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
