// SPDX-License-Identifier: Apache-2.0

/// Rows of text in aligned columns: the first to the left, numbers to the right.
package struct TextTable {
  private let rows: [[String]]
  private let leftColumns: Set<Int>
  private let wrapsLastColumn: Bool
  private let endsInNames: Bool
  /// What is left of a column that is shortened or wrapped, at the least.
  private static let leastWidth = 12

  /// A table of `rows`, the first of which names the columns.
  ///
  /// - Parameters:
  ///   - rows: The cells of each line; rows may be shorter than others.
  ///   - leftColumns: Which columns begin at one place; the others end at one.
  ///   - shortenedColumns: Whose long cells lose their middle where lines would be wider than a
  ///     narrow terminal; the least important column first.
  ///   - wrapsLastColumn: Whether the words of long cells there go on in lines below.
  ///   - endsInNames: Whether the last column has names or paths, which may be longer than a line.
  package init(
    _ rows: [[String]], left leftColumns: Set<Int> = [0],
    shortening shortenedColumns: [Int] = [],
    wrapsLastColumn: Bool = false, endsInNames: Bool = false
  ) {
    self.leftColumns = leftColumns
    self.wrapsLastColumn = wrapsLastColumn
    self.endsInNames = endsInNames
    var widths = Self.widths(rows)
    if wrapsLastColumn, let last = widths.last {
      widths[widths.count - 1] = min(last, Self.leastWidth)
    }
    let shortened = shortenedColumns.filter { widths.indices.contains($0) }
    for column in shortened {
      let excess = widths.reduce(2 * (widths.count - 1), +) - String.narrowLineLength
      let surplus = max(widths[column] - Self.leastWidth, 0)
      widths[column] -= max(min(excess, surplus), 0)
    }
    self.rows = rows.map { row in
      row.enumerated().map { column, cell in
        shortened.contains(column) ? cell.withoutMiddle(upTo: widths[column]) : cell
      }
    }
  }

  /// Whether a narrow terminal shows whole lines of it.
  package var fits: Bool { fits(gap: 1) }

  private func fits(gap: Int) -> Bool {
    var widths = Self.widths(rows)
    if endsInNames { widths = widths.dropLast() }
    return widths.reduce(gap * (widths.count - 1), +) <= String.narrowLineLength
  }

  /// The table without a final line break.
  package var text: String { rowTexts.joined(separator: "\n") }

  /// The rows, each of a line or several, without a final line break.
  ///
  /// Two spaces stand between columns, or one where lines would be wider than a narrow terminal.
  package var rowTexts: [String] {
    let widths = Self.widths(rows)
    let gap = wrapsLastColumn || fits(gap: 2) ? "  " : " "
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return leftColumns.contains(column) ? cell + padding : padding + cell
      }
      var line = cells.joined(separator: gap)
      while line.hasSuffix(" ") { line.removeLast() }
      guard wrapsLastColumn, row.count == widths.count, let last = row.last, !last.isEmpty else {
        return line
      }
      return line.wrapped(to: String.narrowLineLength, indentation: line.count - last.count)
    }
  }

  private static func widths(_ rows: [[String]]) -> [Int] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    return widths
  }
}

extension String {
  /// The text, or its beginning and its end with `…` between them, `limit` characters in all.
  package func withoutMiddle(upTo limit: Int) -> String {
    guard count > limit, limit > 0 else { return self }
    return prefix(limit / 2) + "…" + suffix(limit - limit / 2 - 1)
  }
}
