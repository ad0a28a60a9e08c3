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
struct SignalRfft: RealSignalOperator {
  /// Samples of a transform.
  let length: Int

  let isInverse = false

  func outputLength(_ inputLength: Int) throws(KernelError) -> Int {
    guard inputLength <= length else {
      throw .invalid("\(inputLength) samples, fft_length is \(length)", .input(0))
    }
    return length + 2
  }

  func kernel<Number: SignalNumber>(
    _ transform: RealSignalTransform<Number>, inputLength: Int
  ) -> any Kernel {
    LoopKernel(SignalRfftLoop(transform: transform, inputLength: inputLength))
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
