// SPDX-License-Identifier: Apache-2.0

/// "Did you mean": the known word closest to one that is not known.
package enum Suggestion {
  /// A hint that names the closest of `known`; nil where none is close.
  package static func hint(for word: String, among known: [String]) -> String? {
    let limit = max(1, word.count / 3)
    let close = known.map { (word: $0, distance: distance(word, $0)) }
      .filter { $0.distance <= limit || $0.word.hasPrefix(word) && word.count > 3 }
    return close.min { $0.distance < $1.distance }.map { "did you mean '\($0.word)'?" }
  }

  /// How many letters must be inserted, removed, replaced or swapped with a neighbor to turn
  /// one word into the other.
  package static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first.lowercased().prefix(64)), Array(second.lowercased().prefix(64)))
    var rows = [Array(0...b.count)]
    for i in 1..<(a.count + 1) {
      var row = [i]
      for j in 1..<(b.count + 1) {
        let replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var best = min(replaced, rows[i - 1][j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          best = min(best, rows[i - 2][j - 2] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
