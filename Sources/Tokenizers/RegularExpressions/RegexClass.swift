// SPDX-License-Identifier: Apache-2.0

/// A set of code points.
struct RegexClass: Sendable {
  /// A part of a class: ranges and general categories, or all but these.
  struct Item: Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    /// A bit for each general category, by `RegexClass.bit`.
    var categories: UInt32 = 0
    var isNegated = false

    func contains(_ value: UInt32) -> Bool {
      if Self.search(ranges, value) { return true }
      guard categories != 0 else { return false }
      return categories & RegexClass.bit(of: value) != 0
    }

    private static func search(_ ranges: [ClosedRange<UInt32>], _ value: UInt32) -> Bool {
      var low = 0
      var high = ranges.count
      while low < high {
        let middle = (low + high) / 2
        if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
      }
      return low < ranges.count && ranges[low].contains(value)
    }

    /// Sorts the ranges and joins those that touch.
    mutating func sortRanges() {
      var result: [ClosedRange<UInt32>] = []
      for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if let last = result.last, range.lowerBound <= last.upperBound + 1 {
          result[result.count - 1] =
            last.lowerBound...max(last.upperBound, range.upperBound)
        } else {
          result.append(range)
        }
      }
      ranges = result
    }
  }

  private let items: [Item]
  private let isNegated: Bool
  private let ignoresCase: Bool
  /// Which code points of ASCII belong to the class, 64 in a word.
  private var ascii: (UInt64, UInt64) = (0, 0)

  /// The union of `items`, or all but it; with `ignoresCase`, also what differs from it in case.
  init(_ items: [Item], isNegated: Bool = false, ignoresCase: Bool) {
    self.items = items.map { item in
      var sorted = item
      sorted.sortRanges()
      return sorted
    }
    self.isNegated = isNegated
    self.ignoresCase = ignoresCase
    for value in 0..<UInt32(64) {
      if computedContains(value) { ascii.0 |= 1 << UInt64(value) }
      if computedContains(value + 64) { ascii.1 |= 1 << UInt64(value) }
    }
  }

  /// Whether a code point belongs to the class.
  func contains(_ value: UInt32) -> Bool {
    if value < 64 { return ascii.0 >> UInt64(value) & 1 != 0 }
    if value < 128 { return ascii.1 >> UInt64(value - 64) & 1 != 0 }
    return computedContains(value)
  }

  private func computedContains(_ value: UInt32) -> Bool {
    let equals = ignoresCase ? CaseFolding.orbit(of: value) : [value]
    let isMember = items.contains { item in
      equals.contains(where: item.contains) != item.isNegated
    }
    return isMember != isNegated
  }

  /// The bit of the general category of a code point.
  static func bit(of value: UInt32) -> UInt32 {
    guard let scalar = Unicode.Scalar(value) else { return bit(.surrogate) }
    return bit(scalar.properties.generalCategory)
  }

  private static func bit(_ category: Unicode.GeneralCategory) -> UInt32 {
    for (index, name) in names.enumerated() where name.category == category {
      return 1 << UInt32(index)
    }
    return 0
  }

  /// The general categories by the names that expressions have for them.
  private static let names: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter),
    ("Lm", .modifierLetter), ("Lo", .otherLetter), ("Mn", .nonspacingMark),
    ("Mc", .spacingMark), ("Me", .enclosingMark), ("Nd", .decimalNumber),
    ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
    ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation),
    ("Pi", .initialPunctuation), ("Pf", .finalPunctuation), ("Po", .otherPunctuation),
    ("Sm", .mathSymbol), ("Sc", .currencySymbol), ("Sk", .modifierSymbol),
    ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator),
    ("Zp", .paragraphSeparator), ("Cc", .control), ("Cf", .format), ("Cs", .surrogate),
    ("Co", .privateUse), ("Cn", .unassigned),
  ]

  /// The code points of a property; nil for one that is not supported.
  ///
  /// RE2 knows no category for what is unassigned, and `C` without it.
  static func property(_ name: String) -> Item? {
    if name == "Any" { return Item(ranges: [0...0x10FFFF]) }
    var item = Item()
    for (index, known) in names.enumerated() where known.name != "Cn" {
      let isMember =
        name.utf8.count == 1
        ? known.name.utf8.first == name.utf8.first : known.name == name
      if isMember { item.categories |= 1 << UInt32(index) }
    }
    return item.categories == 0 ? nil : item
  }

  /// The code points of `\d`, `\s` and `\w`, and of their opposites in capitals.
  static func perl(_ letter: Unicode.Scalar) -> Item? {
    let ranges: [ClosedRange<UInt32>]
    switch letter {
    case "d", "D": ranges = [0x30...0x39]
    case "s", "S": ranges = [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
    case "w", "W": ranges = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    default: return nil
    }
    return Item(ranges: ranges, isNegated: letter.value < 0x61)
  }

  /// The code points of the classes that POSIX names.
  static func posix(_ name: String) -> [ClosedRange<UInt32>]? {
    switch name {
    case "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A]
    case "alpha": [0x41...0x5A, 0x61...0x7A]
    case "ascii": [0x00...0x7F]
    case "blank": [0x09...0x09, 0x20...0x20]
    case "cntrl": [0x00...0x1F, 0x7F...0x7F]
    case "digit": [0x30...0x39]
    case "graph": [0x21...0x7E]
    case "lower": [0x61...0x7A]
    case "print": [0x20...0x7E]
    case "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]
    case "space": [0x09...0x0D, 0x20...0x20]
    case "upper": [0x41...0x5A]
    case "word": [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    case "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66]
    default: nil
    }
  }
}
