// SPDX-License-Identifier: Apache-2.0

import Landmarks

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension RawHeads.ScoreFunction {
  /// The scores of one candidate's values.
  func scores(_ values: [Float]) -> [Float] {
    switch self {
    case .identity: return values
    case .sigmoid: return values.map(logistic)
    case .softmax:
      var shares = values
      shares.applySoftmax()
      return shares
    }
  }
}

extension [Float] {
  /// Replaces each value by its exponential's share of the sum of all.
  mutating func applySoftmax() {
    let largest = self.max() ?? 0
    var sum: Float = 0
    for index in indices {
      self[index] = exp(self[index] - largest)
      sum += self[index]
    }
    for index in indices { self[index] /= sum }
  }
}

/// `1 / (1 + exp(−value))`.
func logistic(_ value: Float) -> Float { value.sigmoid }

/// The exponential of a value.
func exponential(_ value: Float) -> Float { exp(value) }
