// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The low-pass filter of a resampler: a sinc function under Kaiser's window.
///
/// With the lower of the two rates as the unit,
///
///     h(t) = cutoff · sinc(cutoff · t) · kaiser(t / radius),    |t| ≤ radius
///
/// The pass band ends, and the stop band begins, half a transition band below and above the cutoff;
/// the transition is about (A − 8) / (14.36 · radius) of the lower rate's Nyquist frequency wide for
/// an attenuation of A decibels.
public struct ResamplingFilter: Sendable, Hashable {
  /// How far the filter reaches to both sides, in samples of the lower rate.
  public var radius: Double
  /// Where half of the amplitude passes, as a proportion of the lower rate's Nyquist frequency.
  public var cutoff: Double
  /// Kaiser's β, which the attenuation follows: 6 for about 63 dB, 10.06 for 100 dB.
  public var beta: Double
  /// Whether coefficients are scaled such that a constant signal keeps its value exactly.
  public var keepsConstants: Bool

  /// A filter of the given parameters.
  public init(radius: Double, cutoff: Double, beta: Double, keepsConstants: Bool = true) {
    self.radius = radius
    self.cutoff = cutoff
    self.beta = beta
    self.keepsConstants = keepsConstants
  }

  /// A long filter, for sound that shall stay as it is.
  ///
  /// Measured with tones between 8 and 48 kHz: up to 0.9 of the lower Nyquist frequency, amplitudes
  /// stay within 0.0001 dB and images are at least 110 dB below; tones above that frequency are at
  /// least 102 dB below. The time is 128 multiplications for each output sample, times the quotient
  /// of the rates where the output's is lower.
  public static let high = ResamplingFilter(radius: 64, cutoff: 0.95, beta: 10.06)
  /// The short filter that MediaPipe resamples with: the defaults of `QResamplerParams` in Google's
  /// multichannel-audio-tools.
  ///
  /// Half of the amplitude passes at 0.9 of the lower Nyquist frequency, and tones above it are 12 dB
  /// to 70 dB below. MediaPipe's output goes on for the filter's radius after the input's end; here
  /// it ends with the input.
  public static let mediaPipe = ResamplingFilter(
    radius: 5, cutoff: 0.9, beta: 6, keepsConstants: false)

  func check() throws(AudioProcessingError) {
    guard radius >= 1, radius <= 1024 else { throw .filter("radius \(radius), not in 1...1024") }
    guard cutoff > 0, cutoff <= 1 else { throw .filter("cutoff \(cutoff), not above 0 up to 1") }
    guard beta >= 0, beta <= 40 else { throw .filter("beta \(beta), not in 0...40") }
  }
}

/// The coefficients of a filter for positions between two input samples.
///
/// Output frame k lies at input position k · step / phaseCount, so positions have `phaseCount`
/// different fractions. Each has a row of coefficients, unless there would be too many: then rows
/// are 1/4096 of a sample of the lower rate apart, and those between are interpolated, with an error
/// of (π/4096)² / 8, or −142 dB.
struct ResamplingTable: Sendable {
  /// Input frames for each `phaseCount` output frames, without common factors.
  let step: Int
  let phaseCount: Int
  /// How many input frames the filter reaches to both sides.
  let radius: Int
  /// Rows of 2 · `radius` + 1 coefficients, for the frames from −`radius` to `radius`.
  private let coefficients: [Float]
  /// How many rows there are per input frame; nil if each phase has its own.
  private let density: Int?

  var tapCount: Int { 2 * radius + 1 }

  /// The most coefficients: 4 MiB of them.
  private static let greatestCount = 1 << 20

  init(from input: Int, to output: Int, _ filter: ResamplingFilter) {
    let divisor = Self.greatestCommonDivisor(input, output)
    step = input / divisor
    phaseCount = output / divisor
    // An input frame is 1/factor of a frame of the lower rate.
    let factor = max(1, Double(input) / Double(output))
    let radius = Int((filter.radius * factor).rounded(.up))
    let tapCount = 2 * radius + 1
    self.radius = radius
    let isExact = phaseCount <= max(1, Self.greatestCount / tapCount)
    density = isExact ? nil : max(2, Int((4096 / factor).rounded(.up)))
    let rowCount = density.map { $0 + 1 } ?? phaseCount
    let unit = Double(density ?? phaseCount)
    let cutoff = filter.cutoff / factor
    let window = WindowFunction.kaiser(beta: filter.beta)
    var coefficients: [Float] = []
    coefficients.reserveCapacity(rowCount * tapCount)
    for row in 0..<rowCount {
      let values = (-radius...radius).map { tap in
        let distance = Double(tap) - Double(row) / unit
        let position = distance / Double(2 * radius) + 0.5
        guard (0...1).contains(position) else { return 0.0 }
        let angle = .pi * cutoff * distance
        return cutoff * (abs(angle) < 1e-9 ? 1 : sin(angle) / angle) * window.value(at: position)
      }
      let gain = filter.keepsConstants ? 1 / values.reduce(0, +) : 1
      for value in values { coefficients.append(Float(value * gain)) }
    }
    self.coefficients = coefficients
  }

  /// The sum of `samples`, from `start` on, times the coefficients of a phase.
  func sum(_ samples: [Float], from start: Int, phase: Int) -> Float {
    let taps = tapCount
    let window = samples.span.extracting(start..<start + taps)
    guard let density else {
      return Self.product(window, coefficients.span.extracting(phase * taps..<(phase + 1) * taps))
    }
    let position = Double(phase) / Double(phaseCount) * Double(density)
    let row = min(density - 1, Int(position))
    let weight = Float(position - Double(row))
    let rows = coefficients.span
    let lower = Self.product(window, rows.extracting(row * taps..<(row + 1) * taps))
    let upper = Self.product(window, rows.extracting((row + 1) * taps..<(row + 2) * taps))
    return lower + weight * (upper - lower)
  }

  /// The sum of products, in eight sums that are added at the end.
  private static func product(_ left: Span<Float>, _ right: Span<Float>) -> Float {
    let count = min(left.count, right.count)
    var (low, high) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    var index = 0
    while index < count - 7 {
      let a = SIMD4(left[index], left[index + 1], left[index + 2], left[index + 3])
      let b = SIMD4(right[index], right[index + 1], right[index + 2], right[index + 3])
      let c = SIMD4(left[index + 4], left[index + 5], left[index + 6], left[index + 7])
      let d = SIMD4(right[index + 4], right[index + 5], right[index + 6], right[index + 7])
      low += a * b
      high += c * d
      index += 8
    }
    var sum = (low + high).sum()
    while index < count {
      sum += left[index] * right[index]
      index += 1
    }
    return sum
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
