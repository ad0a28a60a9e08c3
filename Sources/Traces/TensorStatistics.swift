// SPDX-License-Identifier: Apache-2.0

internal import Npy
internal import Tensors

/// What the values of a tensor are like, as real numbers.
public struct TensorStatistics: Sendable, Equatable {
  /// How many elements there are; a complex number counts as two, its parts.
  public let elementCount: Int
  /// The smallest finite value; nil where there is none.
  public let minimum: Double?
  /// The largest finite value; nil where there is none.
  public let maximum: Double?
  /// The mean of the finite values; nil where there is none.
  public let mean: Double?
  /// The standard deviation of the finite values, divided by their number; nil where there is none.
  public let standardDeviation: Double?
  /// How many values are zero.
  public let zeroCount: Int
  /// How many are NaN.
  public let nanCount: Int
  /// How many are infinite, of either sign.
  public let infinityCount: Int
  /// How many quantized values are the lowest and the highest of their type; nil for tensors that
  /// are not quantized.
  public let saturation: Saturation?
  /// How many values lie between fixed edges.
  public let histogram: Histogram

  /// Quantized values at the ends of their type's range, where values beyond it end up.
  public struct Saturation: Sendable, Equatable {
    /// Quantized values that are the lowest.
    public let lowest: Int
    /// Quantized values that are the highest.
    public let highest: Int
  }

  /// The statistics of a tensor of `type` that `array` holds; nil for strings and handles.
  init?(_ type: TensorType, _ array: NpyArray) {
    guard let values = RealValues(type, array) else { return nil }
    elementCount = values.numbers.count
    var (least, most, sum) = (Double.infinity, -Double.infinity, 0.0)
    var (zeros, nans, infinities, finite) = (0, 0, 0, 0)
    var histogram = Histogram()
    for number in values.numbers {
      histogram.count(number)
      guard number.isFinite else {
        if number.isNaN { nans += 1 } else { infinities += 1 }
        continue
      }
      if number == 0 { zeros += 1 }
      finite += 1
      sum += number
      least = min(least, number)
      most = max(most, number)
    }
    (zeroCount, nanCount, infinityCount) = (zeros, nans, infinities)
    self.histogram = histogram
    if finite > 0 {
      let mean = sum / Double(finite)
      var squares = 0.0
      for number in values.numbers where number.isFinite {
        squares += (number - mean) * (number - mean)
      }
      (minimum, maximum, self.mean) = (least, most, mean)
      standardDeviation = (squares / Double(finite)).squareRoot()
    } else {
      (minimum, maximum, mean, standardDeviation) = (nil, nil, nil, nil)
    }
    if AffineScales(type) != nil, let range = type.elementType.quantizedRange,
      let quantizedValues = values.integers
    {
      saturation = Saturation(
        lowest: quantizedValues.count { $0 == range.lowerBound },
        highest: quantizedValues.count { $0 == range.upperBound })
    } else {
      saturation = nil
    }
  }
}

/// How many values lie between fixed edges, the powers of two from 2⁻¹⁶ to 2¹⁶ of both signs.
///
/// There are 67 bins, from the most negative values to the most positive ones. Bin 33 holds what
/// is nearer to zero than 2⁻¹⁶; bin `34 + k` holds `2^(k−16) ≤ x < 2^(k−15)`, bin `32 − k` the same
/// with the other sign, and the outermost ones everything beyond. NaN is in none. The edges are the
/// same for every tensor, so that histograms of any two can be compared.
public struct Histogram: Sendable, Equatable {
  /// The number of bins.
  public static let binCount = 67
  /// The largest exponent of an edge.
  private static let exponentLimit = 16

  /// How many values each bin holds.
  public private(set) var counts = [Int](repeating: 0, count: binCount)

  /// The 66 edges between the bins in ascending order.
  public static let edges: [Double] = {
    let powers = (-exponentLimit...exponentLimit).map {
      Double(sign: .plus, exponent: $0, significand: 1)
    }
    return powers.reversed().map { -$0 } + powers
  }()

  /// A histogram of nothing.
  init() {}

  /// The bin that holds a number; nil for NaN.
  public static func bin(of number: Double) -> Int? {
    if number.isNaN { return nil }
    guard number.magnitude >= 0x1p-16 else { return binCount / 2 }
    // The bits of a normal number hold its exponent; infinity has the largest there.
    let exponent = min(Int(number.exponentBitPattern) - 1023, exponentLimit)
    let distance = exponent + exponentLimit + 1
    return binCount / 2 + (number < 0 ? -distance : distance)
  }

  /// Counts a number in.
  mutating func count(_ number: Double) {
    if let bin = Self.bin(of: number) { counts[bin] += 1 }
  }
}
