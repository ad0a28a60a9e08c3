// SPDX-License-Identifier: Apache-2.0

/// What repeated measurements of one thing say about it, in milliseconds.
package struct Timings {
  private let sorted: [Double]

  package init(_ milliseconds: [Double]) { sorted = milliseconds.sorted() }

  package var count: Int { sorted.count }
  package var minimum: Double { sorted.first ?? 0 }
  package var mean: Double { sorted.isEmpty ? 0 : sorted.reduce(0, +) / Double(sorted.count) }

  /// The middle one, or the mean of the two in the middle.
  package var median: Double {
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The smallest measurement that at least 95 of 100 do not exceed.
  package var percentile95: Double {
    guard !sorted.isEmpty else { return 0 }
    return sorted[(sorted.count * 95 + 99) / 100 - 1]
  }
}
