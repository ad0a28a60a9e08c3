// SPDX-License-Identifier: Apache-2.0

/// Rows of text in aligned columns: the first to the left, numbers to the right.
package struct TextTable {
  private let rows: [[String]]
  private let leftColumns: Set<Int>
  private let wrapsLastColumn: Bool

  /// A table of `rows`, the first of which names the columns; where it `wrapsLastColumn`, the words
  /// of long cells there go on in lines below.
  package init(
    _ rows: [[String]], left leftColumns: Set<Int> = [0], wrapsLastColumn: Bool = false
  ) {
    self.rows = rows
    self.leftColumns = leftColumns
    self.wrapsLastColumn = wrapsLastColumn
  }

  /// The table with two spaces between columns, without a final line break.
  package var text: String {
    let columnCount = rows.map(\.count).max() ?? 0
    let widths = (0..<columnCount).map { column in
      rows.compactMap { column < $0.count ? $0[column].count : nil }.max() ?? 0
    }
    let lines = rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return leftColumns.contains(column) ? cell + padding : padding + cell
      }
      var line = cells.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      guard wrapsLastColumn, row.count == columnCount, let last = row.last else { return line }
      let start = line.count - last.count
      return String(line.prefix(start))
        + HelpText.wrapped(last, indentation: start, first: start).dropFirst(start)
    }
    return lines.joined(separator: "\n")
  }
}
