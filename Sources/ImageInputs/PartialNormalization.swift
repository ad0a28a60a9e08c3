// SPDX-License-Identifier: Apache-2.0

package import Imaging

/// Means or deviations without the other half.
package enum PartialNormalization: Sendable, Hashable {
  /// What is subtracted from bytes.
  case mean([Float])
  /// What the rest is divided by.
  case standardDeviation([Float])

  /// The normalization together with the other half that `base` gives; of lists of different
  /// lengths, the one of a single number counts for all channels.
  ///
  /// - Throws: `ImagingError` where the halves do not fit together.
  package func completed(
    by base: Normalization = .none
  ) throws(ImagingError) -> Normalization {
    var (means, deviations) = (base.mean, base.standardDeviation)
    switch self {
    case .mean(let numbers): means = numbers
    case .standardDeviation(let numbers): deviations = numbers
    }
    if means.count == 1 { means = Array(repeating: means[0], count: deviations.count) }
    if deviations.count == 1 { deviations = Array(repeating: deviations[0], count: means.count) }
    return try Normalization(mean: means, standardDeviation: deviations)
  }
}
