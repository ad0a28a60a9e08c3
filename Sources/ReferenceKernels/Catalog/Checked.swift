// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on sizes that a file tells: nil where a part is unknown and beyond 64 bits.
package enum Checked {
  /// The product of all factors.
  package static func product(_ factors: [Int?]) -> Int? {
    factors.reduce(1) { result, factor in
      guard let result, let factor else { return nil }
      let (product, overflow) = result.multipliedReportingOverflow(by: factor)
      return overflow ? nil : product
    }
  }

  /// The sum of all terms.
  package static func sum(_ terms: [Int?]) -> Int? {
    terms.reduce(0) { result, term in
      guard let result, let term else { return nil }
      let (sum, overflow) = result.addingReportingOverflow(term)
      return overflow ? nil : sum
    }
  }
}
