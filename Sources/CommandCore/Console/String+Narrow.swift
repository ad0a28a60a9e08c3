// SPDX-License-Identifier: Apache-2.0

import Formatting

extension String {
  /// The most columns of a line of what commands print: a narrow terminal shows as many.
  package static let narrowLineLength = 60

  /// The text in lines for a narrow terminal; it names no files, whose paths are of any length.
  ///
  /// What does not fit a line goes on below, four columns further in. Words stay whole, so that a
  /// long name has a line of its own, which may be longer.
  package var narrow: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let indentation = line.prefix { $0 == " " }.count
      return line.wrapped(
        to: Self.narrowLineLength,
        indentation: indentation < Self.narrowLineLength / 3 ? indentation + 4 : indentation)
    }.joined(separator: "\n")
  }

  /// The same, or the text as it is where a word of it is a path.
  package var narrowUnlessPath: String {
    let hasPath = split(separator: " ").contains {
      $0.contains("/") && $0.contains { $0.isLetter }
    }
    return hasPath ? self : narrow
  }
}

extension StringProtocol {
  /// The line in lines of at most `length` columns, unless a word alone takes more; all but the
  /// first are indented.
  ///
  /// What stands between two spaces or more is kept together where a line has room for it, and the
  /// sides of a shape, as in `1 × 224 × 224 × 3`, always.
  package func wrapped(to length: Int, indentation: Int) -> String {
    guard count > length else { return String(self) }
    let sign = " × "
    guard !contains(text: sign) else {
      let bound = "\u{A0}×\u{A0}"
      return replacing(text: sign, with: bound).wrapped(to: length, indentation: indentation)
        .replacing(text: bound, with: sign)
    }
    let start = prefix { $0 == " " }.count
    var lines = WrappedLines(length: length, indentation: indentation, start: start)
    var (field, fieldGap, gap) = ([Substring](), 0, 0)
    for word in dropFirst(start).split(separator: " ", omittingEmptySubsequences: false) {
      // Two spaces in a row have an empty word between them.
      guard !word.isEmpty else {
        gap += 1
        continue
      }
      if gap > 1 {
        lines.append(field, gap: fieldGap)
        (field, fieldGap) = ([], gap)
      }
      field.append(Substring(word))
      gap = 1
    }
    lines.append(field, gap: fieldGap)
    return lines.text
  }
}

/// Lines that are filled with words.
private struct WrappedLines {
  private let length: Int
  private let indentation: Int
  private var lines: [String]
  private var column: Int
  private var isEmpty = true

  /// Lines of so many columns, of which the first begins at column `start`, the others further in.
  init(length: Int, indentation: Int, start: Int) {
    (self.length, self.indentation) = (length, indentation)
    (lines, column) = ([String(repeating: " ", count: start)], start)
  }

  var text: String { lines.joined(separator: "\n") }

  /// Appends words that belong together, `gap` columns behind those before.
  mutating func append(_ field: [Substring], gap: Int) {
    let width = field.reduce(field.count - 1) { $0 + $1.count }
    if !isEmpty, column + gap + width > length, indentation + width <= length { breakLine() }
    for (position, word) in field.enumerated() {
      append(word, gap: position == 0 ? gap : 1)
    }
  }

  private mutating func append(_ word: Substring, gap: Int) {
    let width = word.count
    if !isEmpty, column + gap + width > length { breakLine() }
    let space = isEmpty ? 0 : gap
    lines[lines.count - 1] += String(repeating: " ", count: space) + word
    column += space + width
    isEmpty = false
  }

  private mutating func breakLine() {
    lines.append(String(repeating: " ", count: indentation))
    (column, isEmpty) = (indentation, true)
  }
}
