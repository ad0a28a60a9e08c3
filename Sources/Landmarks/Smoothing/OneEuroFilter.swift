// SPDX-License-Identifier: Apache-2.0

/// A low-pass filter whose delay shrinks as numbers change faster.
///
/// The 1€ filter (Casiez, Roussel, Vogel: CHI 2012) as MediaPipe has it: the cutoff frequency is
/// `minCutoff + beta × |speed|`, the speed itself being filtered with its own cutoff.
public struct OneEuroFilter: Sendable, Hashable {
  /// The numbers of a filter.
  public struct Options: Sendable, Hashable {
    /// Numbers for each second until the second one tells.
    public var frequency: Double
    /// The cutoff frequency of what does not move, in hertz.
    public var minCutoff: Double
    /// What the cutoff frequency gains by speed.
    public var beta: Double
    /// The cutoff frequency of the speed, in hertz.
    public var derivativeCutoff: Double
    /// Whether the speed is that from the filtered value before rather than from the number before.
    public var usesFilteredDerivative = false

    /// MediaPipe's default numbers unless told otherwise.
    public init(
      frequency: Double = 30, minCutoff: Double = 1, beta: Double = 0,
      derivativeCutoff: Double = 1
    ) {
      self.frequency = frequency
      self.minCutoff = minCutoff
      self.beta = beta
      self.derivativeCutoff = derivativeCutoff
    }

    /// The numbers for the landmarks of a face.
    public static let face = Options(minCutoff: 0.05, beta: 80, derivativeCutoff: 1)
    /// The numbers for the landmarks of a pose.
    public static let pose = Options(minCutoff: 0.05, beta: 80, derivativeCutoff: 1)
    /// The numbers for the world landmarks of a pose.
    public static let poseWorld = Options(minCutoff: 0.1, beta: 40, derivativeCutoff: 1)

    /// The numbers for the points that say where a pose is in the next image.
    public static let poseAlignment = Options(minCutoff: 0.01, beta: 10, derivativeCutoff: 1)

    func check() throws(LandmarkError) {
      for (name, value) in [
        ("frequency", frequency), ("minCutoff", minCutoff), ("derivativeCutoff", derivativeCutoff),
      ] {
        guard value.isFinite, value > 1e-6 else {
          throw .invalidOption("\(name) must be above 0, not \(value)")
        }
      }
      guard beta.isFinite else { throw .invalidOption("beta must be finite, not \(beta)") }
    }
  }

  private let options: Options
  private var frequency: Double
  private var values: LowPassFilter
  private var speeds: LowPassFilter
  private var time: Int64?

  /// A filter with these numbers.
  ///
  /// - Throws: `LandmarkError.invalidOption` where a frequency is not above 0.
  public init(_ options: Options = Options()) throws(LandmarkError) {
    try options.check()
    self.init(checked: options)
  }

  init(checked options: Options) {
    self.options = options
    frequency = options.frequency
    values = LowPassFilter(
      alpha: Self.alpha(cutoff: options.minCutoff, frequency: options.frequency))
    speeds = LowPassFilter(
      alpha: Self.alpha(cutoff: options.derivativeCutoff, frequency: options.frequency))
  }

  /// The value after the next number.
  ///
  /// - Parameters:
  ///   - number: the next number.
  ///   - nanoseconds: its time from any origin; not after the one before, the number is returned.
  ///   - valueScale: what makes speeds of distances, such as 1 by the size of an object.
  /// - Returns: the new value.
  public mutating func apply(
    _ number: Double, at nanoseconds: Int64, valueScale: Double = 1
  ) -> Double {
    if let time {
      guard nanoseconds > time else { return number }
      let (duration, overflow) = nanoseconds.subtractingReportingOverflow(time)
      // MediaPipe takes 0 for no time.
      if !overflow, time != 0, nanoseconds != 0 { frequency = 1 / (Double(duration) * 1e-9) }
    }
    time = nanoseconds
    var speed = 0.0
    if let last = options.usesFilteredDerivative ? values.value : values.rawValue {
      speed = (number - Double(last)) * valueScale * frequency
    }
    let filtered = speeds.apply(
      Float(speed), alpha: Self.alpha(cutoff: options.derivativeCutoff, frequency: frequency))
    let cutoff = options.minCutoff + options.beta * Double(abs(filtered))
    return Double(
      values.apply(Float(number), alpha: Self.alpha(cutoff: cutoff, frequency: frequency)))
  }

  private static func alpha(cutoff: Double, frequency: Double) -> Float {
    let period = 1 / frequency
    let constant = 1 / (2 * Double.pi * cutoff)
    return Float(1 / (1 + constant / period))
  }
}
