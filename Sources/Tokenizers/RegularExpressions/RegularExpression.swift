// SPDX-License-Identifier: Apache-2.0

/// A regular expression in RE2's syntax, matched in time proportional to text and expression.
///
/// Supported are literals, `.`, classes (also `[:alpha:]`, `\d \s \w`, with ASCII's meaning as in
/// RE2, and general categories such as `\pL` and `\p{Lu}`), alternatives, groups, the flags i, m, s
/// and U, greedy and lazy repetitions, and `^ $ \A \z \b \B`. Not supported are `\C` and scripts
/// such as `\p{Greek}`; there are no back references or look-arounds in RE2 either. Of several
/// matches the leftmost counts, and of these the one that Perl prefers.
///
/// RE2: `doc/syntax.txt`, `re2/parse.cc`. The matcher follows Thompson (1968) and Pike.
package struct RegularExpression: Sendable {
  /// Code points of an expression.
  static let lengthLimit = 4096
  /// Instructions of a program.
  static let sizeLimit = 10_000

  let program: [RegexInstruction]
  let classes: [RegexClass]
  /// Whether a match can be empty.
  let matchesEmpty: Bool
  /// The bytes that a match can begin with; nil where that cannot be told.
  let firstBytes: [Bool]?

  /// The expression that `pattern` writes.
  package init(_ pattern: String) throws(RegularExpressionError) {
    var parser = try RegexParser(pattern)
    let fragment = try parser.parse()
    program = fragment.code + [.match]
    classes = parser.classes
    matchesEmpty = fragment.isNullable
    firstBytes =
      fragment.isNullable ? nil : Self.firstBytes(program: program, classes: parser.classes)
  }

  /// The bytes that matches can begin with, of an expression that cannot match nothing.
  private static func firstBytes(
    program: [RegexInstruction], classes: [RegexClass]
  ) -> [Bool]? {
    var bytes = [Bool](repeating: false, count: 256)
    var seen = [Bool](repeating: false, count: program.count)
    var stack = [0]
    while let address = stack.popLast() {
      if seen[address] { continue }
      seen[address] = true
      switch program[address] {
      case .scalar(let value):
        if let scalar = Unicode.Scalar(value), let first = UTF8.encode(scalar)?.first {
          bytes[Int(first)] = true
        }
      case .any, .anyButNewline: return nil
      case .set(let index):
        for byte in 0..<0x80 where classes[index].contains(UInt32(byte)) { bytes[byte] = true }
        for byte in 0x80..<256 { bytes[byte] = true }
      case .split(let first, let second):
        stack.append(address + second)
        stack.append(address + first)
      case .jump(let offset): stack.append(address + offset)
      case .assertion: stack.append(address + 1)
      case .match: return nil
      }
    }
    return bytes
  }
}

/// What a position of a text must be like.
enum RegexAssertion: Sendable {
  case textStart
  case textEnd
  case lineStart
  case lineEnd
  case wordBoundary
  case noWordBoundary
}

/// A step of a program; distances are from the instruction itself.
enum RegexInstruction: Sendable {
  /// Takes this code point.
  case scalar(UInt32)
  /// Takes a code point of the class at this index.
  case set(Int)
  /// Takes any code point.
  case any
  /// Takes any code point but a line feed.
  case anyButNewline
  /// Goes on at both distances; the first is preferred.
  case split(Int, Int)
  /// Goes on at a distance.
  case jump(Int)
  /// Goes on if the position is as said.
  case assertion(RegexAssertion)
  /// The text before is a match.
  case match
}

/// A part of a program that goes on behind its end.
struct RegexFragment {
  /// The instructions.
  var code: [RegexInstruction] = []
  /// Whether it can match nothing.
  var isNullable = true

  /// A fragment of one instruction.
  static func one(_ instruction: RegexInstruction) -> RegexFragment {
    if case .assertion = instruction { return RegexFragment(code: [instruction]) }
    return RegexFragment(code: [instruction], isNullable: false)
  }

  /// Adds what follows.
  mutating func append(_ next: RegexFragment) {
    code += next.code
    isNullable = isNullable && next.isNullable
  }

  private static func split(_ into: Int, _ past: Int, isLazy: Bool) -> RegexInstruction {
    isLazy ? .split(past, into) : .split(into, past)
  }

  /// Any number of rounds, at least one.
  func plus(isLazy: Bool) -> RegexFragment {
    RegexFragment(
      code: code + [Self.split(-code.count, 1, isLazy: isLazy)], isNullable: isNullable)
  }

  /// This or nothing.
  func optional(isLazy: Bool) -> RegexFragment {
    RegexFragment(code: [Self.split(1, code.count + 1, isLazy: isLazy)] + code)
  }

  /// Any number of rounds.
  func star(isLazy: Bool) -> RegexFragment {
    // As RE2 does: a loop whose body can match nothing would prefer other matches than Perl.
    if isNullable { return plus(isLazy: isLazy).optional(isLazy: isLazy) }
    return RegexFragment(
      code: [Self.split(1, code.count + 2, isLazy: isLazy)] + code + [.jump(-code.count - 1)])
  }

  /// From `low` to `high` rounds; nil for no bound.
  func repeated(_ low: Int, _ high: Int?, isLazy: Bool) -> RegexFragment {
    var result = RegexFragment()
    guard let high else {
      guard low > 0 else { return star(isLazy: isLazy) }
      for _ in 1..<low { result.append(self) }
      result.append(plus(isLazy: isLazy))
      return result
    }
    for _ in 0..<low { result.append(self) }
    let size = code.count + 1
    for round in 0..<(high - low) {
      let rest = (high - low - round) * size
      result.code += [Self.split(1, rest, isLazy: isLazy)] + code
    }
    return result
  }

  /// One of several, the first preferred.
  static func alternatives(_ parts: [RegexFragment]) -> RegexFragment {
    guard let last = parts.last else { return RegexFragment() }
    var rest = parts.reduce(0) { $0 + $1.code.count + 2 } - 2 - last.code.count
    var code: [RegexInstruction] = []
    code.reserveCapacity(rest + last.code.count)
    for part in parts.dropLast() {
      code += [.split(1, part.code.count + 2)] + part.code
      rest -= part.code.count + 2
      code.append(.jump(rest + last.code.count + 1))
    }
    code += last.code
    return RegexFragment(code: code, isNullable: parts.contains(where: \.isNullable))
  }
}
