// SPDX-License-Identifier: Apache-2.0

internal import Martlet

/// What is wrong with the normalization that metadata gives an image.
enum ImageNormalizationProblem {
  /// A float image without one.
  case missing
  /// One that contradicts itself, as the sentence says.
  case contradictory(String)

  /// The problem of an input with this metadata; nil for none.
  init?(_ metadata: TensorMetadata?, _ type: ElementType) {
    let found = metadata?.normalizations ?? []
    guard let options = found.first else {
      guard type == .float32 else { return nil }
      self = .missing
      return
    }
    let (means, divisors) = (options.mean, options.standardDeviation)
    if found.count > 1 {
      self = .contradictory("it is normalized more than once")
    } else if means.count != divisors.count || ![1, 3].contains(means.count) {
      self = .contradictory(
        "\(means.count) means and \(divisors.count) deviations, wanted 1 or 3 of both")
    } else if divisors.contains(0) {
      self = .contradictory("a standard deviation of 0")
    } else if !(means + divisors).allSatisfy(\.isFinite) {
      self = .contradictory("a mean or standard deviation that is no finite number")
    } else {
      return nil
    }
  }

  /// The problem in words.
  var sentence: String {
    switch self {
    case .missing: "float images without NormalizationOptions in the metadata"
    case .contradictory(let sentence): sentence
    }
  }
}
