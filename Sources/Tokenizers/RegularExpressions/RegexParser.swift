// SPDX-License-Identifier: Apache-2.0

/// Makes a program of an expression, with its open groups on a stack.
struct RegexParser {
  /// What `(?imsU)` sets.
  struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotMatchesNewline = false
    var isUngreedy = false
  }

  /// A group that is not closed yet.
  struct Group {
    /// The flags behind the group.
    let outerFlags: Flags
    /// Where the group begins.
    let position: Int
    var alternatives: [RegexFragment] = []
    /// The alternative that is being read, without `last`.
    var sequence = RegexFragment()
    /// What a repetition that follows would repeat.
    var last: RegexFragment?
  }

  let pattern: [Unicode.Scalar]
  var index = 0
  var flags = Flags()
  var groups: [Group] = []
  var group: Group
  var classes: [RegexClass] = []
  private var literalClasses: [UInt32: Int] = [:]

  init(_ pattern: String) throws(RegularExpressionError) {
    self.pattern = Array(pattern.unicodeScalars)
    group = Group(outerFlags: flags, position: 0)
    guard self.pattern.count <= RegularExpression.lengthLimit else {
      throw error(.tooLong(limit: RegularExpression.lengthLimit), at: 0)
    }
  }

  func error(_ reason: RegularExpressionError.Reason, at position: Int) -> RegularExpressionError {
    RegularExpressionError(reason: reason, position: position)
  }

  /// The code point `offset` from here; nil behind the end.
  func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    index + offset < pattern.count ? pattern[index + offset] : nil
  }

  /// The program of the whole expression.
  mutating func parse() throws(RegularExpressionError) -> RegexFragment {
    var isBehindRepetition = false
    while let scalar = peek() {
      var isRepetition = false
      switch scalar {
      case "(": try openGroup()
      case ")": try closeGroup()
      case "|": try endAlternative()
      case "*", "+", "?", "{": isRepetition = try parseRepetition(again: isBehindRepetition)
      case "[": try push(.one(.set(try parseClass())))
      case "\\": try parseEscape()
      default: try parseSimple(scalar)
      }
      isBehindRepetition = isRepetition
    }
    guard groups.isEmpty else { throw error(.missingParenthesis, at: group.position) }
    return try finishGroup()
  }

  private mutating func parseSimple(
    _ scalar: Unicode.Scalar
  ) throws(RegularExpressionError) {
    index += 1
    switch scalar {
    case ".": try push(.one(flags.dotMatchesNewline ? .any : .anyButNewline))
    case "^": try push(.one(.assertion(flags.isMultiline ? .lineStart : .textStart)))
    case "$": try push(.one(.assertion(flags.isMultiline ? .lineEnd : .textEnd)))
    default: try pushLiteral(scalar.value)
    }
  }

  /// Adds a part that may be repeated.
  mutating func push(_ fragment: RegexFragment) throws(RegularExpressionError) {
    if let last = group.last { group.sequence.append(last) }
    group.last = fragment
    try checkSize(group.sequence.code.count + fragment.code.count)
  }

  mutating func pushLiteral(_ value: UInt32) throws(RegularExpressionError) {
    guard flags.ignoresCase, CaseFolding.orbit(of: value).count > 1 else {
      return try push(.one(.scalar(value)))
    }
    let known = literalClasses[value] ?? classes.count
    if known == classes.count {
      classes.append(
        RegexClass([RegexClass.Item(ranges: [value...value])], ignoresCase: true))
      literalClasses[value] = known
    }
    try push(.one(.set(known)))
  }

  private func checkSize(_ size: Int, at position: Int? = nil) throws(RegularExpressionError) {
    guard size <= RegularExpression.sizeLimit else {
      throw error(.tooLarge(limit: RegularExpression.sizeLimit), at: position ?? index)
    }
  }

  private mutating func endAlternative() throws(RegularExpressionError) {
    index += 1
    if let last = group.last { group.sequence.append(last) }
    group.alternatives.append(group.sequence)
    group.sequence = RegexFragment()
    group.last = nil
    try checkSize(group.alternatives.reduce(0) { $0 + $1.code.count + 2 })
  }

  private mutating func finishGroup() throws(RegularExpressionError) -> RegexFragment {
    if let last = group.last { group.sequence.append(last) }
    let result = RegexFragment.alternatives(group.alternatives + [group.sequence])
    try checkSize(result.code.count)
    return result
  }

  private mutating func closeGroup() throws(RegularExpressionError) {
    guard let outer = groups.popLast() else { throw error(.unexpectedParenthesis, at: index) }
    let fragment = try finishGroup()
    index += 1
    flags = group.outerFlags
    group = outer
    try push(fragment)
  }

  private mutating func openGroup() throws(RegularExpressionError) {
    let start = index
    var inner = flags
    index += 1
    if peek() == "?" {
      if peek(1) == "P" && peek(2) == "<" || peek(1) == "<" {
        try parseGroupName()
      } else if try parseFlags(&inner, start: start) {
        flags = inner
        return
      }
    }
    groups.append(group)
    group = Group(outerFlags: flags, position: start)
    flags = inner
  }

  private mutating func parseGroupName() throws(RegularExpressionError) {
    let start = index
    index += peek(1) == "P" ? 3 : 2
    let nameStart = index
    while let scalar = peek(), scalar != ">" {
      let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      guard isWord || scalar == "_" else { throw error(.badGroupName, at: start) }
      index += 1
    }
    guard peek() == ">" else { throw error(.missingParenthesis, at: start) }
    guard index > nameStart else { throw error(.badGroupName, at: start) }
    index += 1
  }

  /// Reads `?flags:` or `?flags)`; true for the latter, which opens no group.
  private mutating func parseFlags(
    _ flags: inout Flags, start: Int
  ) throws(RegularExpressionError) -> Bool {
    index += 1
    var isNegated = false
    var hasFlag = false
    while let scalar = peek() {
      index += 1
      switch scalar {
      case "i": flags.ignoresCase = !isNegated
      case "m": flags.isMultiline = !isNegated
      case "s": flags.dotMatchesNewline = !isNegated
      case "U": flags.isUngreedy = !isNegated
      case "-" where !isNegated:
        isNegated = true
        hasFlag = false
        continue
      case ":", ")":
        guard hasFlag || !isNegated else { throw error(.unsupportedGroup, at: start) }
        return scalar == ")"
      default: throw error(.unsupportedGroup, at: start)
      }
      hasFlag = true
    }
    throw error(.missingParenthesis, at: start)
  }

  /// Reads a repetition; false for a brace that is none, which is a literal.
  private mutating func parseRepetition(again: Bool) throws(RegularExpressionError) -> Bool {
    let start = index
    let bounds: (low: Int, high: Int?)
    switch peek() {
    case "*": bounds = (0, nil)
    case "+": bounds = (1, nil)
    case "?": bounds = (0, 1)
    default:
      guard let parsed = parseBounds() else {
        index = start + 1
        try pushLiteral(0x7B)
        return false
      }
      bounds = parsed
      index -= 1
    }
    index += 1
    guard !again else { throw error(.repeatedRepetition, at: start) }
    var isLazy = flags.isUngreedy
    if peek() == "?" {
      isLazy.toggle()
      index += 1
    }
    guard bounds.low <= 1000, bounds.high.map({ (bounds.low...1000).contains($0) }) ?? true else {
      throw error(.badRepetition, at: start)
    }
    guard let last = group.last else { throw error(.nothingToRepeat, at: start) }
    try checkSize(max(bounds.high ?? bounds.low, 1) * (last.code.count + 1), at: start)
    group.last = last.repeated(bounds.low, bounds.high, isLazy: isLazy)
    return true
  }

  /// Reads `{n}`, `{n,}` or `{n,m}`; nil where it is something else.
  private mutating func parseBounds() -> (low: Int, high: Int?)? {
    index += 1
    guard let low = parseNumber() else { return nil }
    var high: Int? = low
    if peek() == "," {
      index += 1
      high = nil
      if peek() != "}" {
        guard let number = parseNumber() else { return nil }
        high = number
      }
    }
    guard peek() == "}" else { return nil }
    index += 1
    return (low, high)
  }

  /// Reads a number without superfluous zeros; more than 1000 where it is longer.
  private mutating func parseNumber() -> Int? {
    var value: Int?
    let start = index
    while let scalar = peek(), ("0"..."9").contains(scalar) {
      value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), 1001)
      index += 1
    }
    return index > start + 1 && pattern[start] == "0" ? nil : value
  }
}

extension RegexParser {
  /// Adds a class and gives its index.
  mutating func add(_ items: [RegexClass.Item], isNegated: Bool = false) -> Int {
    classes.append(RegexClass(items, isNegated: isNegated, ignoresCase: flags.ignoresCase))
    return classes.count - 1
  }
}
