// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let signalIrfft = CatalogEntry(
    custom: "SignalIrfft", chapter: .signal,
    formula: """
      y[t] = Σ_f (x[2f] + i x[2f + 1]) · exp(2πi f t / n) / n,   0 ≤ f < n,   \
      numbers beyond n / 2 being conjugates
      """,
    variants: "i16 i32 f32", optimized: "",
    work: .elements { types in RealSignalLayout.work(types.input(0)) }, reads: .everything
  ) { node throws(KernelError) in SignalIrfft(length: try RealSignalLayout.length(node)) }
}

/// `SignalIrfft`: frames of real samples from their spectra.
///
/// - Input 0: the spectra, int16, int32 or float32, `fft_length` + 2 elements on the last axis: real
///   and imaginary parts by turns, as `SignalRfft` gives them.
/// - Output: of the same type and shape, but for the last axis: `fft_length` samples.
///
/// The imaginary parts of the first and last number are not read. `fft_length` is as for
/// `SignalRfft`. TFLite Micro: `signal/micro/kernels/irfft.cc`; kissfft: `kiss_fftr.c`.
struct SignalIrfft: RealSignalOperator {
  /// Samples of a transform.
  let length: Int

  let isInverse = true

  func outputLength(_ inputLength: Int) throws(KernelError) -> Int {
    guard inputLength == length + 2 else {
      throw .invalid("\(inputLength) parts, wanted fft_length + 2, \(length + 2)", .input(0))
    }
    return length
  }

  func kernel<Number: SignalNumber>(
    _ transform: RealSignalTransform<Number>, inputLength: Int
  ) -> any Kernel {
    LoopKernel(SignalIrfftLoop(transform: transform))
  }
}

/// The loop of `SignalIrfft`.
package struct SignalIrfftLoop<Number: SignalNumber>: SteppedLoop {
  /// The transform of a frame.
  package let transform: RealSignalTransform<Number>

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Number.self)
    var output = frame.output(0, as: Number.self)
    let length = transform.length
    var start = 0
    for first in stride(from: 0, to: output.count, by: length) {
      steps.about(first..<first + length)
      let spectrum = (0...length / 2).map { bin in
        SignalComplex(
          steps.read(input, start + 2 * bin), steps.read(input, start + 2 * bin + 1))
      }
      let samples = transform.halves.transform(joined(spectrum))
      for index in 0..<length {
        steps.about(first + index)
        let pair = samples[index / 2]
        let sample = steps.note(
          "sample", "of the inverse transform of all numbers",
          element: index % 2 == 0 ? pair.real : pair.imaginary)
        output[first + index] = steps.note(
          "stored", "floats divided by \(length), integers as they are",
          element: sample.inverse(ofLength: length))
      }
      start += length + 2
    }
  }

  /// The spectrum of the complex numbers whose real parts are the even samples, and imaginary parts
  /// the odd ones.
  private func joined(_ spectrum: [SignalComplex<Number>]) -> [SignalComplex<Number>] {
    let half = transform.length / 2
    var joined = [SignalComplex<Number>](repeating: spectrum[0], count: half)
    let (first, last) = (spectrum[0].real, spectrum[half].real)
    joined[0] = SignalComplex(.sum(first, last), .difference(first, last)).share(of: 2)
    for bin in stride(from: 1, through: half / 2, by: 1) {
      let lower = spectrum[bin].share(of: 2)
      let upper = spectrum[half - bin].conjugate.share(of: 2)
      let even = lower + upper
      let odd = (lower - upper) * transform.factors[bin - 1]
      joined[bin] = even + odd
      joined[half - bin] = (even - odd).conjugate
    }
    return joined
  }
}
