// SPDX-License-Identifier: Apache-2.0

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
      let largest = values.max() ?? 0
      let exponentials = values.map { exp($0 - largest) }
      let sum = exponentials.reduce(0, +)
      return exponentials.map { $0 / sum }
    }
  }
}

/// `1 / (1 + exp(−value))`.
func logistic(_ value: Float) -> Float { 1 / (1 + exp(-value)) }

/// The exponential of a value.
func exponential(_ value: Float) -> Float { exp(value) }
