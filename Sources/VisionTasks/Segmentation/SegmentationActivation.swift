// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What makes confidences of a segmentation model's values.
public enum SegmentationActivation: Int8, Sendable, Hashable, CaseIterable {
  /// The value itself.
  case none = 0
  /// `1 / (1 + exp(−value))`.
  case sigmoid = 1
  /// `exp(value) / Σ exp(values of all categories of the pixel)`.
  case softmax = 2

  /// `1 / (1 + exp(−value))`.
  static func logistic(_ value: Float) -> Float { 1 / (1 + exp(-value)) }

  /// Replaces the values of one pixel by its confidences.
  func apply(to values: inout [Float]) {
    switch self {
    case .none: break
    case .sigmoid:
      for index in values.indices { values[index] = Self.logistic(values[index]) }
    case .softmax:
      let largest = values.max() ?? 0
      var sum: Float = 0
      for index in values.indices {
        values[index] = exp(values[index] - largest)
        sum += values[index]
      }
      for index in values.indices { values[index] /= sum }
    }
  }
}
