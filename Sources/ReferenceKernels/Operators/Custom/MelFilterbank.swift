// SPDX-License-Identifier: Apache-2.0

/// Triangular filters over a spectrum whose centers are spaced as the ear hears pitch.
///
///     mel(f) = 1127 · ln(1 + f / 700)
///
/// Centers are equally spaced in mels between the limits. A frequency between two centers counts
/// towards both filters, the more the nearer. Frequency 0 is always left out.
/// TFLite: `internal/mfcc_mel_filterbank.cc`.
package struct MelFilterbank {
  /// The frequencies that count.
  package let bins: Range<Int>
  /// For each frequency, the filter on whose falling side it lies; −1 before the first center.
  package let filters: [Int]
  /// For each frequency, how much of it that filter gets; the next one gets the rest.
  package let weights: [Double]
  private let filterCount: Int
  /// Whether the upper limit lies beyond the spectrum.
  package let isBeyondSpectrum: Bool

  /// The filters for spectra of `length` values of sound with `sampleRate` samples a second; nil
  /// for numbers that give none.
  package init?(
    length: Int, sampleRate: Double, filterCount: Int, lower: Double, upper: Double
  ) {
    guard filterCount >= 1, sampleRate > 0, length >= 2, lower >= 0, upper > lower else {
      return nil
    }
    self.filterCount = filterCount
    let lowest = Self.mels(lower)
    let spacing = (Self.mels(upper) - lowest) / Double(filterCount + 1)
    let centers = (0...filterCount).map { lowest + spacing * Double($0 + 1) }
    let hertz = 0.5 * sampleRate / Double(length - 1)
    // Limits beyond any frequency would not fit an integer.
    let first = Int(min(1.5 + lower / hertz, 1e9))
    let last = Int(min(upper / hertz, 1e9))
    isBeyondSpectrum = last >= length
    let bins = first <= last && last < length ? first..<last + 1 : 0..<0
    self.bins = bins
    var filters = [Int](repeating: -1, count: length)
    var weights = [Double](repeating: 0, count: length)
    var next = 0
    for bin in bins {
      let pitch = Self.mels(Double(bin) * hertz)
      while next < filterCount, centers[next] < pitch { next += 1 }
      let below = next > 0 ? centers[next - 1] : lowest
      filters[bin] = next - 1
      weights[bin] = (centers[next] - pitch) / (centers[next] - below)
    }
    self.filters = filters
    self.weights = weights
  }

  /// What each filter makes of a spectrum of squares; nil where the upper limit lies beyond it.
  func apply(_ spectrum: Span<Float>, _ steps: inout some Steps) -> [Double]? {
    guard !isBeyondSpectrum else { return nil }
    var output = [Double](repeating: 0, count: filterCount)
    for bin in bins {
      let value = steps.term(Double(spectrum[bin]).squareRoot(), of: spectrum, bin)
      let share = value * weights[bin]
      let filter = filters[bin]
      if filter >= 0 { output[filter] += share }
      if filter + 1 < filterCount { output[filter + 1] += value - share }
    }
    return output
  }

  private static func mels(_ frequency: Double) -> Double {
    1127 * FloatMath.log1p(frequency / 700)
  }
}
