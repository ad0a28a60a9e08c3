// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on sizes that a file tells: nil where a part is unknown and beyond 64 bits.
package enum Checked {
  /// The product of all factors.
  package static func product(_ factors: [Int?]) -> Int? { factors.reduce(1, product) }

  /// The sum of all terms.
  package static func sum(_ terms: [Int?]) -> Int? { terms.reduce(0, sum) }

  /// The product of two factors.
  package static func product(_ first: Int?, _ second: Int?) -> Int? {
    guard let first, let second else { return nil }
    let (product, overflow) = first.multipliedReportingOverflow(by: second)
    return overflow ? nil : product
  }

  /// The sum of two terms.
  package static func sum(_ first: Int?, _ second: Int?) -> Int? {
    guard let first, let second else { return nil }
    let (sum, overflow) = first.addingReportingOverflow(second)
    return overflow ? nil : sum
  }
}
