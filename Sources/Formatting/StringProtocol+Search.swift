// SPDX-License-Identifier: Apache-2.0
//
// What `_StringProcessing` has for searches. No target but tests is linked with that module, whose
// regular expressions would be a megabyte of the executable.

extension StringProtocol {
  /// Where `text` stands first, compared byte for byte; nil if nowhere, and for an empty text.
  package func firstRange(ofText text: some StringProtocol) -> Range<Index>? {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return nil }
    var start = utf8.startIndex
    while let found = utf8[start...].firstIndex(of: first) {
      let rest = utf8[found...]
      if rest.starts(with: wanted) {
        return found..<utf8.index(found, offsetBy: wanted.count)
      }
      start = utf8.index(after: found)
    }
    return nil
  }

  /// Whether `text` stands anywhere, compared byte for byte; false for an empty text.
  package func contains(text: some StringProtocol) -> Bool { firstRange(ofText: text) != nil }

  /// The parts between occurrences of `separator`, without empty ones.
  package func split(separatorText separator: some StringProtocol) -> [SubSequence] {
    var parts: [SubSequence] = []
    var start = startIndex
    while let found = self[start...].firstRange(ofText: separator) {
      parts.append(self[start..<found.lowerBound])
      start = found.upperBound
    }
    parts.append(self[start...])
    return parts.filter { !$0.isEmpty }
  }

  /// The text with `replacement` for every occurrence of `text`, from the first one on.
  package func replacing(text: some StringProtocol, with replacement: String) -> String {
    var result = ""
    var start = startIndex
    while let found = self[start...].firstRange(ofText: text) {
      result += self[start..<found.lowerBound]
      result += replacement
      start = found.upperBound
    }
    return result + self[start...]
  }
}
