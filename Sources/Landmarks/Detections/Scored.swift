// SPDX-License-Identifier: Apache-2.0

/// What a model found, and how sure it is.
package protocol Scored {
  /// How sure the model is.
  var score: Float { get }
}

extension Array where Element: Scored {
  /// By falling scores; equal ones stay in order.
  package func sortedByScore() -> [Element] {
    enumerated().sorted { first, second in
      (second.element.score, first.offset) < (first.element.score, second.offset)
    }.map(\.element)
  }

  /// Greedy non-maximum suppression of what is sorted, the best first.
  ///
  /// - Parameters:
  ///   - limit: how many remain at most; the time is proportional to it.
  ///   - covers: whether one that remains stands in the way of another one behind it.
  /// - Returns: those that remain, in order, each with a group: itself and those that it covers.
  @inlinable
  package func suppressed(
    limit: Int, _ covers: (_ better: Element, _ other: Element) -> Bool
  ) -> [(best: Element, group: [Element])] {
    var results: [(best: Element, group: [Element])] = []
    var remaining = self
    while let best = remaining.first, results.count < limit {
      var group = [best]
      var others: [Element] = []
      for other in remaining.dropFirst() {
        if covers(best, other) { group.append(other) } else { others.append(other) }
      }
      results.append((best, group))
      remaining = others
    }
    return results
  }
}
