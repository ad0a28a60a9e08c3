// SPDX-License-Identifier: Apache-2.0

extension RegexParser {
  /// Reads what a backslash outside of brackets begins.
  mutating func parseEscape() throws(RegularExpressionError) {
    guard let letter = peek(1) else { throw error(.trailingBackslash, at: index) }
    switch letter {
    case "b": try pushAssertion(.wordBoundary)
    case "B": try pushAssertion(.noWordBoundary)
    case "A": try pushAssertion(.textStart)
    case "z": try pushAssertion(.textEnd)
    case "Q": try parseQuotation()
    default:
      if let item = try parsePredefined() {
        try push(.one(.set(add([item]))))
      } else {
        try pushLiteral(try parseEscapedScalar())
      }
    }
  }

  private mutating func pushAssertion(
    _ assertion: RegexAssertion
  ) throws(RegularExpressionError) {
    index += 2
    try push(.one(.assertion(assertion)))
  }

  /// Reads `\Q … \E`, in which everything is literal.
  private mutating func parseQuotation() throws(RegularExpressionError) {
    index += 2
    while let scalar = peek() {
      if scalar == "\\", peek(1) == "E" {
        index += 2
        return
      }
      index += 1
      try pushLiteral(scalar.value)
    }
  }

  /// Reads a class that a backslash and a letter name; nil where something else comes.
  mutating func parsePredefined() throws(RegularExpressionError) -> RegexClass.Item? {
    guard peek() == "\\", let letter = peek(1) else { return nil }
    if let item = RegexClass.perl(letter) {
      index += 2
      return item
    }
    guard letter == "p" || letter == "P" else { return nil }
    let start = index
    index += 2
    guard let first = peek() else { throw error(.badEscape("\\\(letter)"), at: start) }
    index += 1
    var name = ""
    if first == "{" {
      while let scalar = peek(), scalar != "}" {
        name.unicodeScalars.append(scalar)
        index += 1
      }
      guard peek() == "}" else { throw error(.badEscape("\\\(letter){"), at: start) }
      index += 1
    } else {
      name.unicodeScalars.append(first)
    }
    var isNegated = letter == "P"
    if name.utf8.first == UInt8(ascii: "^") {
      isNegated.toggle()
      name.unicodeScalars.removeFirst()
    }
    guard var item = RegexClass.property(name) else {
      throw error(.unsupportedProperty(name), at: start)
    }
    item.isNegated = isNegated
    return item
  }

  /// Reads a backslash and what stands for one code point.
  mutating func parseEscapedScalar() throws(RegularExpressionError) -> UInt32 {
    let start = index
    guard let letter = peek(1) else { throw error(.trailingBackslash, at: start) }
    index += 2
    switch letter {
    case "a": return 0x07
    case "f": return 0x0C
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "v": return 0x0B
    case "x": return try parseHexadecimal(start)
    case "0"..."7":
      // A single digit from 1 would refer to a group.
      if letter == "0" || peek().map({ ("0"..."7").contains($0) }) == true {
        return parseOctal(letter.value - 0x30)
      }
    default:
      let isLetter = ("a"..."z").contains(letter) || ("A"..."Z").contains(letter)
      if letter.value < 0x80, !isLetter, !("0"..."9").contains(letter) { return letter.value }
    }
    throw error(.badEscape("\\\(letter)"), at: start)
  }

  private mutating func parseOctal(_ first: UInt32) -> UInt32 {
    var value = first
    for _ in 0..<2 {
      guard let digit = peek(), ("0"..."7").contains(digit) else { break }
      value = value * 8 + (digit.value - 0x30)
      index += 1
    }
    return value
  }

  private mutating func parseHexadecimal(
    _ start: Int
  ) throws(RegularExpressionError) -> UInt32 {
    let hasBraces = peek() == "{"
    if hasBraces { index += 1 }
    var value: UInt32 = 0
    var count = 0
    while let digit = peek().flatMap(Self.hexadecimalDigit), hasBraces || count < 2 {
      value = value * 16 + digit
      count += 1
      index += 1
      guard value <= 0x10FFFF else { throw error(.badEscape("\\x"), at: start) }
    }
    guard hasBraces ? count > 0 && peek() == "}" : count == 2 else {
      throw error(.badEscape("\\x"), at: start)
    }
    if hasBraces { index += 1 }
    return value
  }

  private static func hexadecimalDigit(_ scalar: Unicode.Scalar) -> UInt32? {
    switch scalar {
    case "0"..."9": scalar.value - 0x30
    case "a"..."f": scalar.value - 0x61 + 10
    case "A"..."F": scalar.value - 0x41 + 10
    default: nil
    }
  }

  /// Reads a class in brackets and gives its index.
  mutating func parseClass() throws(RegularExpressionError) -> Int {
    let start = index
    index += 1
    let isNegated = peek() == "^"
    if isNegated { index += 1 }
    var ranges: [ClosedRange<UInt32>] = []
    var items: [RegexClass.Item] = []
    var isFirst = true
    while let scalar = peek(), isFirst || scalar != "]" {
      isFirst = false
      if scalar == "[", peek(1) == ":", let item = try parseNamedClass() {
        items.append(item)
      } else if let item = try parsePredefined() {
        items.append(item)
      } else {
        ranges.append(try parseRange(class: start))
      }
    }
    guard peek() == "]" else { throw error(.missingBracket, at: start) }
    index += 1
    return add(items + [RegexClass.Item(ranges: ranges)], isNegated: isNegated)
  }

  /// Reads `[:name:]`; nil where that is not closed.
  private mutating func parseNamedClass() throws(RegularExpressionError) -> RegexClass.Item? {
    let start = index
    var end = index + 2
    while end + 1 < pattern.count, !(pattern[end] == ":" && pattern[end + 1] == "]") { end += 1 }
    guard end + 1 < pattern.count else { return nil }
    var name = pattern[(start + 2)..<end]
    let isNegated = name.first == "^"
    if isNegated { name.removeFirst() }
    let text = String(String.UnicodeScalarView(name))
    guard let ranges = RegexClass.posix(text) else { throw error(.unknownClass(text), at: start) }
    index = end + 2
    return RegexClass.Item(ranges: ranges, isNegated: isNegated)
  }

  /// Reads a code point of a class, or two and what is between them.
  private mutating func parseRange(
    class start: Int
  ) throws(RegularExpressionError) -> ClosedRange<UInt32> {
    let position = index
    let low = try parseClassScalar(class: start)
    guard peek() == "-", let next = peek(1), next != "]" else { return low...low }
    index += 1
    let high = try parseClassScalar(class: start)
    guard low <= high else { throw error(.badRange, at: position) }
    return low...high
  }

  private mutating func parseClassScalar(class start: Int) throws(RegularExpressionError) -> UInt32
  {
    guard let scalar = peek() else { throw error(.missingBracket, at: start) }
    if scalar == "\\" { return try parseEscapedScalar() }
    index += 1
    return scalar.value
  }
}
