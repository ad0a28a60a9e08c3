// SPDX-License-Identifier: Apache-2.0

/// The discrete Fourier transform of a power of two of complex numbers, in double precision.
///
///     X[f] = Σₜ x[t] · exp(−2πi f t / n)
///
/// Cooley and Tukey's algorithm: numbers are brought into bit-reversed order, then transforms of
/// length 2, 4, … n are put together from two of half the length each.
package struct FourierTransform: Sendable {
  /// How many numbers are transformed.
  package let count: Int
  private let cosines: [Double]
  private let sines: [Double]

  /// The transform of `count` numbers, a power of two.
  package init(count: Int) {
    self.count = count
    let angles = (0..<count / 2).map { 2 * Double.pi * Double($0) / Double(count) }
    cosines = angles.map { FloatMath.cos($0) }
    sines = angles.map { FloatMath.sin($0) }
  }

  /// Replaces the numbers by their transform.
  package func transform(real: inout [Double], imaginary: inout [Double]) {
    reorder(&real, &imaginary)
    var length = 2
    while length <= count {
      let (half, step) = (length / 2, count / length)
      for start in stride(from: 0, to: count, by: length) {
        for index in 0..<half {
          let (lower, upper) = (start + index, start + index + half)
          let (c, s) = (cosines[index * step], sines[index * step])
          let re = real[upper] * c + imaginary[upper] * s
          let im = imaginary[upper] * c - real[upper] * s
          (real[upper], imaginary[upper]) = (real[lower] - re, imaginary[lower] - im)
          real[lower] += re
          imaginary[lower] += im
        }
      }
      length *= 2
    }
  }

  private func reorder(_ real: inout [Double], _ imaginary: inout [Double]) {
    var reversed = 0
    for index in 1..<max(count, 1) {
      var bit = count / 2
      while reversed & bit != 0 {
        reversed ^= bit
        bit /= 2
      }
      reversed ^= bit
      if index < reversed {
        real.swapAt(index, reversed)
        imaginary.swapAt(index, reversed)
      }
    }
  }
}
