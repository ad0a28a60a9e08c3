// SPDX-License-Identifier: Apache-2.0

import Tensors

/// The discrete Fourier transform of a power of two of complex numbers, in double precision.
///
///     X[f] = Σₜ x[t] · exp(−2πi f t / n)
///
/// Cooley and Tukey's algorithm: numbers are brought into bit-reversed order, then transforms of
/// length 2, 4, … n are put together from two of half the length each.
package struct FourierTransform: Sendable {
  /// How many numbers are transformed.
  package let count: Int
  /// `cos(2π k / n)` for the first half of all k.
  package let cosines: [Double]
  /// `sin(2π k / n)` for the first half of all k.
  package let sines: [Double]
  /// Where bit reversal puts each number.
  package let places: [Int]

  /// The transform of `count` numbers, a power of two.
  package init(count: Int) {
    self.count = count
    let angles = (0..<count / 2).map { 2 * Double.pi * Double($0) / Double(count) }
    cosines = angles.map { FloatMath.cos($0) }
    sines = angles.map { FloatMath.sin($0) }
    var places = Array(repeating: 0, count: count)
    for index in places.indices.dropFirst() {
      places[index] = places[index / 2] / 2 + (index % 2 == 0 ? 0 : count / 2)
    }
    self.places = places
  }

  /// Replaces the numbers by their transform, of which number f becomes the element
  /// `elements.lowerBound + f · distance`.
  package func transform(
    real: inout [Double], imaginary: inout [Double], elements: Range<Int>, distance: Int,
    _ steps: inout some Steps
  ) {
    reorder(&real, &imaginary)
    var length = 2
    while length <= count {
      if length == count, steps.areTold { tell(real, imaginary, elements, distance, &steps) }
      join(&real, &imaginary, length: length)
      length *= 2
    }
  }

  /// Puts transforms of a length together from two of half the length each, which are neighbors.
  private func join(_ real: inout [Double], _ imaginary: inout [Double], length: Int) {
    let (half, step) = (length / 2, count / length)
    let (cosines, sines) = (self.cosines.span, self.sines.span)
    var re = real.mutableSpan
    var im = imaginary.mutableSpan
    for start in stride(from: 0, to: count, by: length) {
      for index in 0..<half {
        let (lower, upper) = (start &+ index, start &+ index &+ half)
        let (c, s) = (cosines[index &* step], sines[index &* step])
        let (odd, oddIm) = (re[upper], im[upper])
        let (turned, turnedIm) = (odd * c + oddIm * s, oddIm * c - odd * s)
        let (even, evenIm) = (re[lower], im[lower])
        re[upper] = even - turned
        im[upper] = evenIm - turnedIm
        re[lower] = even + turned
        im[lower] = evenIm + turnedIm
      }
    }
  }

  /// Tells the last of the halvings, of numbers before it.
  private func tell(
    _ real: [Double], _ imaginary: [Double], _ elements: Range<Int>, _ distance: Int,
    _ steps: inout some Steps
  ) {
    let half = count / 2
    for index in 0..<half {
      let even = Complex(real[index], imaginary[index])
      let odd = Complex(real[half + index], imaginary[half + index])
      let turned = Complex(
        odd.real * cosines[index] + odd.imaginary * sines[index],
        odd.imaginary * cosines[index] - odd.real * sines[index])
      tell(even, odd, turned: turned, at: index, elements, distance, &steps)
    }
  }

  /// Tells it for the two numbers that come from the numbers `index` of the halves.
  private func tell(
    _ even: Complex<Double>, _ odd: Complex<Double>, turned: Complex<Double>, at index: Int,
    _ elements: Range<Int>, _ distance: Int, _ steps: inout some Steps
  ) {
    for isLow in [true, false] {
      let frequency = isLow ? index : index + count / 2
      let element = elements.lowerBound + frequency * distance
      guard elements.contains(element) else { continue }
      steps.about(element)
      steps.note(
        "even half", "number \(index) of that of numbers 0, 2, 4, …", element: even)
      steps.note("odd half", "number \(index) of that of numbers 1, 3, 5, …", element: odd)
      steps.note(
        "turned half", "odd half × exp(−2πi \(index) / \(count))", element: turned)
      let sign = isLow ? 1.0 : -1
      steps.note(
        "transform",
        "even half \(isLow ? "+" : "-") turned half: number \(frequency) of \(count)",
        element: Complex(
          even.real + sign * turned.real, even.imaginary + sign * turned.imaginary))
    }
  }

  private func reorder(_ real: inout [Double], _ imaginary: inout [Double]) {
    for (index, place) in places.enumerated() where index < place {
      real.swapAt(index, place)
      imaginary.swapAt(index, place)
    }
  }
}
