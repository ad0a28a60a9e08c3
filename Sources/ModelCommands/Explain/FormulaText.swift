// SPDX-License-Identifier: Apache-2.0

/// Formulas and expressions in lines for a narrow terminal.
///
/// A line that is too long is broken where as few brackets as possible are open: between formulas,
/// behind a comma, in front of an equals sign, between the terms of a sum, or between factors, the
/// first of these that there is; and between words only where there is no other place.
package struct FormulaText {
  private let width: Int

  /// By how much the rest of a broken line is indented.
  private static let step = 2
  /// The most blanks in front of a line that is otherwise too long.
  private static let mostIndentation = 4
  /// The least characters that stand on a line in front of an equals sign below.
  private static let leastHeadLength = 8

  /// Lines of at most `width` characters, but for single words that are longer.
  package init(width: Int) { self.width = width }

  /// The lines of a formula, which may have several.
  package func lines(_ formula: String) -> [String] {
    formula.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      guard line.count > width else { return [String(line)] }
      let indentation = min(line.prefix { $0 == " " }.count, Self.mostIndentation)
      return broken(line.trimmed, indentation: indentation)
    }
  }

  private func broken(_ text: Substring, indentation: Int) -> [String] {
    let points = breakPoints(text)
    guard indentation + text.count > width, let best = points.map(\.rank).min() else {
      return [String(repeating: " ", count: indentation) + text]
    }
    let rest = indentation + (best.kind == .gap ? 0 : Self.step)
    var (lines, line, start) = ([String](), Substring(), text.startIndex)
    for index in points.filter({ $0.rank == best }).map(\.index) + [text.endIndex] {
      let piece = text[start..<index]
      let first = lines.isEmpty ? indentation : rest
      if !line.isEmpty, first + (line + piece).trimmed.count > width {
        lines += broken(line.trimmed, indentation: first)
        line = piece
      } else {
        line += piece
      }
      start = index
    }
    return lines + broken(line.trimmed, indentation: lines.isEmpty ? indentation : rest)
  }

  /// What a line may be broken at, the best places first.
  private enum Kind: Int {
    case gap, comma, relation, term, factor, word
  }

  private struct Rank: Comparable {
    let depth: Int
    let kind: Kind

    static func < (left: Rank, right: Rank) -> Bool {
      left.numbers.lexicographicallyPrecedes(right.numbers)
    }

    private var numbers: [Int] {
      kind == .word ? [Int.max, depth] : [depth, kind.rawValue]
    }
  }

  /// Where the line may be broken: in front of these characters.
  private func breakPoints(_ text: Substring) -> [(index: String.Index, rank: Rank)] {
    var points: [(index: String.Index, rank: Rank)] = []
    var (depth, previous) = (0, Character(" "))
    for index in text.indices {
      let character = text[index]
      if "([{⌊⌈".contains(character) { depth += 1 }
      if ")]}⌋⌉".contains(character) { depth -= 1 }
      // Those of a type stand behind letters, comparisons behind blanks.
      if character == "<", previous != " " { depth += 1 }
      if character == ">", previous != " " { depth -= 1 }
      if character == " ", index > text.startIndex {
        let start = text.index(after: index)
        let kind = Self.kind(of: text[start...].prefix { $0 != " " }, behind: previous)
        // What is left of an equals sign does not stand alone where it is short.
        let isHead = kind == .relation && text[..<start].count < Self.leastHeadLength
        if !isHead { points.append((start, Rank(depth: depth, kind: kind))) }
      }
      previous = character
    }
    return points
  }

  /// What it is to break a line in front of `word`, which a blank and a character are before.
  private static func kind(of word: Substring, behind character: Character) -> Kind {
    if word.isEmpty { return .gap }
    if ",;:".contains(character) { return .comma }
    switch word {
    case "=", "<", ">", "≤", "≥", "≈", "←", "if", "else", "where": return .relation
    case "+", "-", "−": return .term
    case "·", "×", "/", "⊙": return .factor
    case _: return .word
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
