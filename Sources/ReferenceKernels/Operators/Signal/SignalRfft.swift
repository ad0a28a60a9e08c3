// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalRfft = CatalogEntry(
    custom: "SignalRfft", chapter: .signal,
    formula: """
      y[2f] + i y[2f + 1] = Σₜ x[t] · exp(−2πi f t / n),   0 ≤ f ≤ n / 2;   integers: / n
      """,
    variants: "i16 i32 f32", optimized: "",
    work: .elements { types in
      RealSignalLayout.work(types.output(0))
    }, reads: .everything
  ) { node throws(KernelError) in SignalRfft(length: try RealSignalLayout.length(node)) }
}

/// `SignalRfft`: the Fourier transform of frames of real samples.
///
/// - Input 0: the frames, int16, int32 or float32, of `fft_length` samples or fewer; zeros follow.
/// - Output: of the same type and shape, but for the last axis: `fft_length` + 2 elements, real and
///   imaginary parts by turns.
///
/// `fft_length` is n, an even number without prime factors beyond 5. Integers lose a factor of n on
/// the way, so that no sum overflows. TFLite Micro: `signal/micro/kernels/rfft.cc`; kissfft:
/// `kiss_fftr.c`.
struct SignalRfft: Operator {
  /// Samples of a transform.
  let length: Int

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    switch input.elementType {
    case .int16: return try prepared(node, input, Int16.self)
    case .int32: return try prepared(node, input, Int32.self)
    case .float32: return try prepared(node, input, Float.self)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func prepared<Number: SignalNumber>(
    _ node: PrepareContext, _ input: TensorType, _ number: Number.Type
  ) throws(KernelError) -> Prepared {
    let inputLength = try input.shape.frameLength()
    guard inputLength <= length else {
      throw .invalid("\(inputLength) samples, fft_length is \(length)", .input(0))
    }
    let shape = try Shape.checked(input.shape.dimensions.dropLast() + [length + 2])
    let transform = try RealSignalTransform<Number>(length: length, isInverse: false)
    var prepared = Prepared(
      try node.signalOutput(input.elementType, shape),
      LoopKernel(SignalRfftLoop(transform: transform, inputLength: inputLength)))
    prepared.heldByteCount = transform.byteCount
    return prepared
  }
}

/// The options that `SignalRfft` and `SignalIrfft` share.
enum RealSignalLayout {
  /// The most samples of a transform, whose factors are kept from run to run.
  private static let lengthLimit = 1 << 16

  /// The samples of a transform.
  ///
  /// - Throws: `KernelError` where the options do not tell it, or it is odd.
  static func length(_ node: NodeDescription) throws(KernelError) -> Int {
    let length = try node.flexOptions().signalOption("fft_length", in: 4...lengthLimit)
    guard length % 2 == 0 else { throw .invalid("fft_length \(length), wanted an even number") }
    return length
  }

  /// A step for each power of two in a frame, for each of its elements.
  static func work(_ frames: TensorType?) -> Int? {
    guard let shape = frames?.shape, let length = shape.dimensions.last else { return nil }
    return Checked.product([shape.elementCount, Int.bitWidth - length.leadingZeroBitCount])
  }
}

/// The transform between real numbers and half of their spectrum, as kissfft computes it.
package struct RealSignalTransform<Number: SignalNumber>: Sendable {
  /// Real numbers.
  package let length: Int
  let halves: SignalTransform<Number>
  /// exp(∓πi ((f + 1) / (n / 2) + ½)).
  let factors: [SignalComplex<Number>]
  /// Bytes of all factors.
  var byteCount: Int {
    (halves.count + factors.count) * MemoryLayout<SignalComplex<Number>>.stride
  }

  /// The transform of `length` real numbers, or back to them.
  ///
  /// - Throws: `KernelError` where `length` has prime factors that kissfft has no stage for.
  init(length: Int, isInverse: Bool) throws(KernelError) {
    let half = length / 2
    guard let halves = SignalTransform<Number>(count: half, isInverse: isInverse) else {
      throw .invalid("fft_length \(length), wanted prime factors up to 5")
    }
    (self.length, self.halves) = (length, halves)
    factors = (0..<half / 2).map { index in
      let angle: Double = -Double.pi * (Double(index + 1) / Double(half) + 0.5)
      return SignalComplex(angle: isInverse ? -angle : angle)
    }
  }
}

/// The loop of `SignalRfft`.
package struct SignalRfftLoop<Number: SignalNumber>: SteppedLoop {
  /// The transform of a frame.
  package let transform: RealSignalTransform<Number>
  /// Samples of a frame of the input.
  package let inputLength: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Number.self)
    var output = frame.output(0, as: Number.self)
    let half = transform.length / 2
    var start = 0
    for first in stride(from: 0, to: input.count, by: inputLength) {
      steps.about(start..<start + transform.length + 2)
      var samples = [SignalComplex<Number>](repeating: SignalComplex(.zero, .zero), count: half)
      for index in 0..<inputLength {
        let sample = steps.read(input, first + index)
        if index % 2 == 0 {
          samples[index / 2].real = sample
        } else {
          samples[index / 2].imaginary = sample
        }
      }
      separate(transform.halves.transform(samples), &output, at: start, &steps)
      start += transform.length + 2
    }
  }

  /// Makes the spectrum of all samples of one whose real parts were the even samples, and imaginary
  /// parts the odd ones.
  private func separate(
    _ spectrum: [SignalComplex<Number>], _ output: inout MutableSpan<Number>, at start: Int,
    _ steps: inout some Steps
  ) {
    let half = transform.length / 2
    let sums = spectrum[0].share(of: 2)
    for (bin, isFirst) in [(0, true), (half, false)] {
      let element = start + 2 * bin
      steps.about(element)
      steps.note("even samples", "their sum, scaled", element: sums.real)
      steps.note("odd samples", "their sum, scaled", element: sums.imaginary)
      output[element] = steps.note(
        "stored", isFirst ? "even + odd samples" : "even - odd samples",
        element: isFirst
          ? .sum(sums.real, sums.imaginary) : .difference(sums.real, sums.imaginary))
      steps.about(element + 1)
      output[element + 1] = steps.note("stored", "the sum is real", element: .zero)
    }
    for bin in stride(from: 1, through: half / 2, by: 1) {
      let lower = spectrum[bin].share(of: 2)
      let upper = spectrum[half - bin].conjugate.share(of: 2)
      let even = lower + upper
      let odd = (lower - upper) * transform.factors[bin - 1]
      let sum = SignalComplex<Number>(
        .halfSum(even.real, odd.real), .halfSum(even.imaginary, odd.imaginary))
      store(sum, even, odd, &output, at: start + 2 * bin, &steps)
      let difference = SignalComplex<Number>(
        .halfDifference(even.real, odd.real), .halfDifference(odd.imaginary, even.imaginary))
      store(difference, even, odd, &output, at: start + 2 * (half - bin), &steps)
    }
  }

  private func store(
    _ value: SignalComplex<Number>, _ even: SignalComplex<Number>, _ odd: SignalComplex<Number>,
    _ output: inout MutableSpan<Number>, at element: Int, _ steps: inout some Steps
  ) {
    let (evenText, oddText) = ("their transform, scaled", "their transform, turned and scaled")
    steps.about(element)
    steps.note("even samples", evenText, element: even.real)
    steps.note("odd samples", oddText, element: odd.real)
    output[element] = steps.note(
      "stored", "half of the sum, or of the difference", element: value.real)
    steps.about(element + 1)
    steps.note("even samples", evenText, element: even.imaginary)
    steps.note("odd samples", oddText, element: odd.imaginary)
    output[element + 1] = steps.note(
      "stored", "half of the sum, or of the difference", element: value.imaginary)
  }
}
