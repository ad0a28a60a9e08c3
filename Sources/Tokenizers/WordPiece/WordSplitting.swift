// SPDX-License-Identifier: Apache-2.0

/// How a text is made into words before these are cut into pieces.
public enum WordSplitting: Sendable, Hashable {
  /// At white space of ASCII, with punctuation and Chinese characters as words of their own.
  ///
  /// Nothing is lower-cased: the Task Library's preprocessor does this before, for ASCII alone.
  /// The expressions are those of `BertTokenizer`, `kDefaultDelimRe` and `kDefaultIncludeDelimRe`.
  case taskLibrary
  /// As the original BERT does, and `BertNormalizer` and `BertPreTokenizer` of the package
  /// `tokenizers`.
  ///
  /// Control characters go, all white space of Unicode separates, accents (category Mn after
  /// canonical decomposition) go and letters become lower case, where this is wanted. The models
  /// called uncased want both, those called cased neither.
  case bert(lowercases: Bool, stripsAccents: Bool)

  var isBERT: Bool { self != .taskLibrary }

  func words(of text: String) -> SplitText {
    switch self {
    case .taskLibrary: SplitText(taskLibrary: Array(text.utf8))
    case .bert(let lowercases, let stripsAccents):
      SplitText(bert: text, lowercases: lowercases, stripsAccents: stripsAccents)
    }
  }
}

/// A text as words, which lie in bytes that may differ from the text's.
struct SplitText {
  /// The text as it is looked up.
  private(set) var bytes: [UInt8]
  /// Where the words lie in `bytes`.
  private(set) var words: [Range<Int>] = []
  /// The bytes of the text that each of `bytes` comes from; nil where they are the same.
  private var sources: [Range<Int>]?

  /// The words of a text as the Task Library's tokenizer has them.
  init(taskLibrary bytes: [UInt8]) {
    self.bytes = bytes
    var start = 0
    var index = 0
    while index < bytes.count {
      let (value, byteCount) = UTF8Text.scalar(bytes, at: index)
      let isSpace = value == 0x20 || (0x09...0x0D).contains(value) && value != 0x0B
      if isSpace || Self.isDelimiter(value) {
        if index > start { words.append(start..<index) }
        start = index + byteCount
        if !isSpace { words.append(index..<start) }
      }
      index += byteCount
    }
    if index > start { words.append(start..<index) }
  }

  private static func isDelimiter(_ value: UInt32) -> Bool {
    if value < 0x80 { return UTF8Text.isASCIIPunctuation(value) }
    if UTF8Text.isChineseCharacter(value) { return true }
    return Unicode.Scalar(value).map(UTF8Text.isPunctuation) ?? false
  }

  /// The words of a text as BERT has them.
  init(bert text: String, lowercases: Bool, stripsAccents: Bool) {
    var normalized = BERTNormalization.cleaned(text)
    if stripsAccents { normalized = BERTNormalization.withoutAccents(normalized) }
    if lowercases { normalized = BERTNormalization.lowercased(normalized) }
    bytes = []
    bytes.reserveCapacity(normalized.count)
    var sources: [Range<Int>] = []
    var start = 0
    for (scalar, source) in normalized {
      let isSpace = scalar.properties.isWhitespace
      let isAlone =
        UTF8Text.isASCIIPunctuation(scalar.value) || UTF8Text.isChineseCharacter(scalar.value)
        || UTF8Text.isPunctuation(scalar)
      if isSpace || isAlone, bytes.count > start { words.append(start..<bytes.count) }
      if isSpace {
        start = bytes.count
        continue
      }
      let first = bytes.count
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        bytes.append(byte)
        sources.append(source)
      }
      if isAlone { words.append(first..<bytes.count) }
      if isAlone { start = bytes.count }
    }
    if bytes.count > start { words.append(start..<bytes.count) }
    self.sources = sources
  }

  /// How many code points a range of `bytes` has.
  func scalarCount(_ range: Range<Int>) -> Int {
    var count = 0
    for index in range where bytes[index] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// The bytes of the text that a range of `bytes` comes from.
  func source(of range: Range<Int>) -> Range<Int> {
    guard let sources, !range.isEmpty else { return range }
    let start = sources[range.lowerBound].lowerBound
    return start..<max(start, sources[range.upperBound - 1].upperBound)
  }
}
