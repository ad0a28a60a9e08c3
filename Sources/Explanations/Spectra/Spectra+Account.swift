// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// One number of a discrete Fourier transform, put together from transforms of half the length.
///
/// The operations are those of Cooley and Tukey's algorithm, in the order of their definition:
/// the transform of the even samples plus the turned one of the odd samples.
private struct HalvedTransform {
  /// A complex number in double precision.
  typealias Number = (real: Double, imaginary: Double)

  /// The samples.
  let samples: [Number]

  /// The two halves that make number `frequency`: of the even samples, and of the odd ones.
  func halves(of frequency: Int) -> (even: Number, odd: Number) {
    let half = samples.count / 2
    return (
      number(frequency % half, from: 0, step: 2), number(frequency % half, from: 1, step: 2)
    )
  }

  /// Number `frequency` of the samples from `first` on, `step` apart.
  func number(_ frequency: Int, from first: Int = 0, step: Int = 1) -> Number {
    let count = samples.count / step
    guard count > 1 else { return samples[first] }
    let half = count / 2
    let even = number(frequency % half, from: first, step: 2 * step)
    let odd = number(frequency % half, from: first + step, step: 2 * step)
    let turned = turned(odd, by: frequency % half * step)
    return frequency < half
      ? (even.real + turned.real, even.imaginary + turned.imaginary)
      : (even.real - turned.real, even.imaginary - turned.imaginary)
  }

  /// `number` times exp(−2πi k / n).
  func turned(_ number: Number, by k: Int) -> Number {
    let (cosine, sine) = turn(k)
    return (
      number.real * cosine + number.imaginary * sine,
      number.imaginary * cosine - number.real * sine
    )
  }

  /// Cosine and sine of 2πk / n.
  func turn(_ k: Int) -> (cosine: Double, sine: Double) {
    let angle = 2 * Double.pi * Double(k) / Double(samples.count)
    return (FloatMath.cos(angle), FloatMath.sin(angle))
  }
}

extension StepList {
  /// Number `frequency` of a Fourier transform, with the last of the halvings.
  fileprivate mutating func transform(
    _ samples: [HalvedTransform.Number], at frequency: Int, _ noun: String
  ) -> HalvedTransform.Number {
    let transform = HalvedTransform(samples: samples)
    guard samples.count > 1 else { return samples[0] }
    let half = samples.count / 2
    let (even, odd) = transform.halves(of: frequency)
    let place = frequency % half
    tell("even half", "number \(place) of the transform of the \(noun)s 0, 2, 4, …", even)
    tell("odd half", "number \(place) of the transform of the \(noun)s 1, 3, 5, …", odd)
    let turned = transform.turned(odd, by: place)
    tell("turned half", "odd half × exp(−2πi \(place) / \(samples.count))", turned)
    let isLow = frequency < half
    let number =
      isLow
      ? (even.real + turned.real, even.imaginary + turned.imaginary)
      : (even.real - turned.real, even.imaginary - turned.imaginary)
    tell(
      "transform",
      "even half \(isLow ? "+" : "-") turned half: number \(frequency) of "
        + "\(samples.count)", number)
    return number
  }

  private mutating func tell(_ name: String, _ text: String, _ number: HalvedTransform.Number) {
    add(name, text, .complex(number.real, number.imaginary))
  }
}

extension Rfft2DLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let columns = width / 2 + 1
    let (line, column) = output.flat.quotientAndRemainder(dividingBy: columns)
    let (picture, row) = line.quotientAndRemainder(dividingBy: height)
    guard let pixels = node.values(0, as: Float.self) else { return nil }
    var terms: [ExplainedTerm] = []
    var lines: [HalvedTransform.Number] = []
    for y in 0..<height {
      guard y < inputHeight else {
        lines.append((0, 0))
        continue
      }
      let start = (picture * inputHeight + y) * inputWidth
      let used = min(width, inputWidth)
      terms += node.terms(0, start..<start + used)
      let samples = (0..<width).map { x -> HalvedTransform.Number in
        (x < used ? Double(pixels[start + x]) : 0, 0)
      }
      lines.append(HalvedTransform(samples: samples).number(column))
    }
    var steps = StepList()
    steps.add(
      "row transforms",
      "number \(column) of the transform of each of \(height) rows of \(width);"
        + " that of row 0", .complex(lines[0].real, lines[0].imaginary))
    let number = steps.transform(lines, at: row, "row")
    steps.add(
      "stored", "in single precision",
      .complex(Double(Float(number.real)), Double(Float(number.imaginary))))
    return NodeAccount(terms, steps)
  }
}

extension AudioSpectrogramLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let index = node.index(of: output)
    let (channel, window, frequency) = (index[0], index[1], index[2])
    var terms: [ExplainedTerm] = []
    var samples = [HalvedTransform.Number](repeating: (0, 0), count: transformLength)
    for place in 0..<windowSize {
      let flat = (window * stride + place) * channelCount + channel
      guard let sample = node.value(0, flat, as: Float.self) else { return nil }
      let angle = 2 * Double.pi * Double(place) / Double(windowSize)
      samples[place].real = Double(sample) * (0.5 - 0.5 * FloatMath.cos(angle))
      guard let term = node.term(0, flat, value: .double(samples[place].real)) else { return nil }
      terms.append(term)
    }
    var steps = StepList()
    let number = steps.transform(samples, at: frequency, "weighted sample")
    let square = steps.add(
      "square", "\(number.real)² + \(number.imaginary.operand)² in single precision",
      float: Float(number.real * number.real + number.imaginary * number.imaginary))
    if !isSquared {
      _ = steps.add("square root", "of \(square)", float: square.squareRoot())
    }
    return NodeAccount(terms, steps)
  }
}

extension MfccLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let (window, coefficient) = output.flat.quotientAndRemainder(
      dividingBy: layout.coefficientCount)
    let places = window * frames[2]..<(window + 1) * frames[2]
    let spectrum = places.compactMap { node.value(0, $0, as: Float.self) }
    guard let rate = node.value(1, 0, as: Int32.self), spectrum.count == frames[2],
      let filterbank = MelFilterbank(
        length: frames[2], sampleRate: Double(rate), filterCount: layout.filterCount,
        lower: Double(Float(layout.lowerFrequency)), upper: Double(Float(layout.upperFrequency)))
    else { return nil }
    var steps = StepList()
    let roots = spectrum.map { Double($0).squareRoot() }
    var sum = 0.0
    for (filter, output) in loudness(filterbank, roots).enumerated() {
      let angle = Double(coefficient) * (Double.pi / Double(layout.filterCount))
      let cosine =
        (2 / Double(layout.filterCount)).squareRoot()
        * FloatMath.cos(angle * (Double(filter) + 0.5))
      let product = cosine * FloatMath.log(max(output, 1e-12))
      steps.add(
        "filter \(filter)", "ln max(\(output), 1e-12) × \(cosine.operand)", .double(product))
      sum += product
    }
    steps.add(
      "sum",
      filterbank.isBeyondSpectrum
        ? "of nothing: the upper limit lies beyond the spectrum"
        : "of the \(layout.filterCount) filters, coefficient \(coefficient)", .double(sum))
    _ = steps.add("stored", "in single precision", float: Float(sum))
    let inBand = filterbank.bins.map { places.lowerBound + $0 }
    let terms = zip(inBand, filterbank.bins).compactMap { place, bin in
      node.term(0, place, value: .double(roots[bin]))
    }
    return NodeAccount(terms, steps)
  }

  /// What each filter makes of the roots of a spectrum; none where the limit lies beyond it.
  private func loudness(_ filterbank: MelFilterbank, _ roots: [Double]) -> [Double] {
    guard !filterbank.isBeyondSpectrum else { return [] }
    var outputs = [Double](repeating: 0, count: layout.filterCount)
    for bin in filterbank.bins {
      let share = roots[bin] * filterbank.weights[bin]
      let filter = filterbank.filters[bin]
      if filter >= 0 { outputs[filter] += share }
      if filter + 1 < layout.filterCount { outputs[filter + 1] += roots[bin] - share }
    }
    return outputs
  }
}
