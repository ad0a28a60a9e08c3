// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// The constants of a reference kernel with 16-bit activations and 8-bit weights.
struct WideFormat: Sendable {
  /// How sums are scaled.
  enum Factors: Sendable {
    /// In fixed point, by one factor or one for each channel.
    case fixedPoint([FixedPointMultiplier])
    /// In double precision.
    case real([Double])
  }

  /// The weights' zero point.
  let filterZeroPoint: Int32
  /// Whether sums and biases have 64 bits rather than 32, beyond which they wrap.
  let hasWideSums: Bool
  /// How sums are scaled.
  let factors: Factors
  /// The limits of results.
  let range: ActivationRange<Int32>

  /// Bytes of a bias.
  var biasByteCount: Int { hasWideSums ? 8 : 4 }

  /// The format of a convolution with 64-bit sums.
  init(_ arithmetic: WideConvolution) {
    filterZeroPoint = arithmetic.filterZeroPoint
    hasWideSums = true
    factors = .fixedPoint(arithmetic.multipliers.factors)
    range = arithmetic.range
  }

  /// The format of a convolution with 32-bit sums.
  init(_ arithmetic: QuantizedConvolution<Int16, Int8>) {
    filterZeroPoint = arithmetic.filterZeroPoint
    hasWideSums = false
    factors = .fixedPoint(arithmetic.multipliers.factors)
    range = arithmetic.range
  }

  /// The format of a matrix product.
  init<Sum>(_ arithmetic: QuantizedFullyConnected<Int16, Int8, Sum, Int16>) {
    filterZeroPoint = arithmetic.filterZeroPoint
    hasWideSums = Sum.bitWidth == 64
    factors =
      switch arithmetic.scaling {
      case .real(let factors): .real(factors)
      case .fixedPoint(let multipliers): .fixedPoint(multipliers.factors)
      }
    range = arithmetic.range
  }
}
