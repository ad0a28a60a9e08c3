// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A function that a piece of a signal is multiplied by, so that it begins and ends softly.
public enum WindowFunction: Sendable, Hashable {
  /// 0.5 − 0.5 cos(2πi/n): Hann's window.
  case hann
  /// 0.54 − 0.46 cos(2πi/n): Hamming's window.
  case hamming
  /// I0(β √(1 − (2i/n − 1)²)) / I0(β): Kaiser's window, where a larger β means lower side lobes.
  case kaiser(beta: Double)

  /// The values for i = 0, 1, … `count` − 1.
  ///
  /// - Parameters:
  ///   - count: How many values there are.
  ///   - isPeriodic: n is `count`, so that the value after the last is the first again, as spectra
  ///     of overlapping windows need it and as MediaPipe's spectrograms have it. Otherwise n is
  ///     `count` − 1, so that the window is symmetric, as filters need it.
  /// - Returns: The values, none for a count that is not positive.
  public func values(_ count: Int, isPeriodic: Bool = true) -> [Double] {
    guard count > 1 else { return count == 1 ? [1] : [] }
    let period = Double(isPeriodic ? count : count - 1)
    return (0..<count).map { value(at: Double($0) / period) }
  }

  /// The value at `position`, which goes from 0 at the beginning of the window to 1 at its end.
  func value(at position: Double) -> Double {
    switch self {
    case .hann: 0.5 - 0.5 * cos(2 * .pi * position)
    case .hamming: 0.54 - 0.46 * cos(2 * .pi * position)
    case .kaiser(let beta):
      besselI0(beta * max(0, 1 - (2 * position - 1) * (2 * position - 1)).squareRoot())
        / besselI0(beta)
    }
  }
}

/// The modified Bessel function of the first kind of order 0, by its power series
/// Σk ((x/2)^k / k!)², for |x| up to some tens.
func besselI0(_ x: Double) -> Double {
  var term = 1.0
  var sum = 1.0
  for k in 1...100 {
    term *= x * x / Double(4 * k * k)
    sum += term
    if term <= sum * 1e-17 { break }
  }
  return sum
}
