// SPDX-License-Identifier: Apache-2.0

/// A Kalman filter of one coordinate that moves at nearly constant speed.
///
/// The state is a location `p` and a speed `v` per frame. A frame adds an acceleration of mean 0:
///
///     p' = p + v        P' = F P Fᵀ + a² [¼ ½; ½ 1]        F = [1 1; 0 d]
///     v' = d v
///
/// A measurement `z` of deviation `r` corrects both by the gain `K = [P₀₀; P₀₁] / (P₀₀ + r²)`.
struct CoordinateFilter: Sendable {
  /// Where the coordinate is thought to be.
  var location: Double
  /// How far it moves in a frame.
  var speed: Double = 0
  /// The position's variance.
  private(set) var variance: Double
  private var covariance: Double = 0
  private var speedVariance: Double

  /// At rest at a position, with deviations of position and speed.
  init(location: Double, deviation: Double, speedDeviation: Double) {
    self.location = location
    variance = deviation * deviation
    speedVariance = speedDeviation * speedDeviation
  }

  /// One frame goes by; `damping` is what remains of the speed after it.
  mutating func advance(acceleration: Double, damping: Double) {
    let noise = acceleration * acceleration
    location += speed
    speed *= damping
    variance += 2 * covariance + speedVariance + noise / 4
    covariance = (covariance + speedVariance) * damping + noise / 2
    speedVariance = speedVariance * damping * damping + noise
  }

  /// Takes a measurement of a deviation into account.
  mutating func correct(_ measured: Double, deviation: Double) {
    let total = variance + deviation * deviation
    let (gain, speedGain) = (variance / total, covariance / total)
    let surprise = measured - location
    location += gain * surprise
    speed += speedGain * surprise
    speedVariance -= speedGain * covariance
    covariance *= 1 - gain
    variance *= 1 - gain
  }

  /// Moves to a position and stops there, as sure of it as before.
  mutating func stop(at newLocation: Double) {
    location = newLocation
    speed = 0
  }
}
