// SPDX-License-Identifier: Apache-2.0

/// Rows of text in aligned columns: the first to the left, numbers to the right.
///
/// Columns that a narrow terminal cannot show beside each other stand in lines below, in each row
/// at the same place. A column that alone is wider keeps its line.
package struct TextTable {
  private let rows: [[String]]
  private let leftColumns: Set<Int>
  private let wrapsLastColumn: Bool
  /// By how much the second and later lines of a row are indented.
  private static let indentation = 4
  /// What is left for a column whose words go on in lines below, at the least.
  private static let leastWrappedWidth = 20

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
  package var text: String { rowTexts.joined(separator: "\n") }

  /// The rows, each of a line or several, without a final line break.
  package var rowTexts: [String] {
    let columnCount = rows.map(\.count).max() ?? 0
    let widths = (0..<columnCount).map { column in
      rows.compactMap { column < $0.count ? $0[column].count : nil }.max() ?? 0
    }
    let lines = lines(widths)
    return rows.map { row in
      lines.map { line(row, $0, widths) }.filter { !$0.isEmpty }.joined(separator: "\n")
    }
  }

  /// Which columns stand in each line of a row.
  private func lines(_ widths: [Int]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var (start, end) = (0, 0)
    for (column, width) in widths.enumerated() {
      let isWrapped = wrapsLastColumn && column == widths.count - 1
      let needed = isWrapped ? min(width, Self.leastWrappedWidth) : width
      if column > start, end + 2 + needed > String.narrowLineLength {
        lines.append(start..<column)
        (start, end) = (column, Self.indentation + needed)
      } else {
        end += column > start ? 2 + needed : needed
      }
    }
    return widths.isEmpty ? [] : lines + [start..<widths.count]
  }

  /// The cells of some columns of a row.
  private func line(_ row: [String], _ columns: Range<Int>, _ widths: [Int]) -> String {
    let cells = columns.prefix { $0 < row.count }.map { column in
      let padding = String(repeating: " ", count: widths[column] - row[column].count)
      return leftColumns.contains(column) ? row[column] + padding : padding + row[column]
    }
    var line = cells.joined(separator: "  ")
    while line.hasSuffix(" ") { line.removeLast() }
    guard !line.isEmpty else { return "" }
    if columns.lowerBound > 0 { line = String(repeating: " ", count: Self.indentation) + line }
    guard wrapsLastColumn, row.count == widths.count, columns.upperBound == widths.count,
      let last = row.last
    else { return line }
    return line.wrapped(to: String.narrowLineLength, indentation: line.count - last.count)
  }
}
