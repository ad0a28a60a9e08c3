// SPDX-License-Identifier: Apache-2.0

import Imaging

/// Where an object is and where it will be: Kalman filters of its center and size.
///
/// Deviations are fractions of the object's size, since near objects move more pixels than far
/// ones and their boxes are off by more.
struct MotionFilter: Sendable {
  private var x: CoordinateFilter
  private var y: CoordinateFilter
  private var width: CoordinateFilter
  private var height: CoordinateFilter

  /// At rest at a box.
  init(_ box: ImageRect) {
    let scale = box.scale
    func filter(_ location: Double, speed: Double) -> CoordinateFilter {
      CoordinateFilter(
        location: location, deviation: Self.boxDeviation * scale, speedDeviation: speed * scale)
    }
    x = filter(box.centerX, speed: Self.startDeviation)
    y = filter(box.centerY, speed: Self.startDeviation)
    width = filter(box.width, speed: Self.growthDeviation)
    height = filter(box.height, speed: Self.growthDeviation)
  }

  /// The best estimate of the box.
  var box: ImageRect {
    let (width, height) = (max(width.location, 1), max(height.location, 1))
    return ImageRect(
      x: x.location - width / 2, y: y.location - height / 2, width: width, height: height)
  }

  /// One frame goes by; an object that was not seen in the last one slows down and stops growing.
  mutating func advance(wasSeen: Bool) {
    let scale = box.scale
    let acceleration = Self.accelerationDeviation * scale
    let damping = wasSeen ? 1 : Self.unseenDamping
    x.advance(acceleration: acceleration, damping: damping)
    y.advance(acceleration: acceleration, damping: damping)
    let growth = Self.growthNoise * scale
    width.advance(acceleration: growth, damping: wasSeen ? Self.growthDamping : 0)
    height.advance(acceleration: growth, damping: wasSeen ? Self.growthDamping : 0)
  }

  /// Takes an observed box into account.
  ///
  /// - Parameters:
  ///   - observed: The box.
  ///   - isDoubtful: Whether the object may be half hidden: then the box may be that of the rest,
  ///     and says little about the center and less about the size.
  mutating func correct(_ observed: ImageRect, isDoubtful: Bool) {
    let deviation = Self.boxDeviation * (box.scale + observed.scale) / 2
    x.correct(observed.centerX, deviation: deviation * (isDoubtful ? 2 : 1))
    y.correct(observed.centerY, deviation: deviation * (isDoubtful ? 2 : 1))
    width.correct(observed.width, deviation: deviation * (isDoubtful ? 4 : 1))
    height.correct(observed.height, deviation: deviation * (isDoubtful ? 4 : 1))
  }

  /// How large the object is and how fast it moves.
  var habit: Habit {
    Habit(
      width: max(width.location, 1), height: max(height.location, 1), speedX: x.speed,
      speedY: y.speed)
  }

  /// Goes on with a size and speed instead of the latest ones.
  mutating func resume(_ habit: Habit) {
    width.location = habit.width
    height.location = habit.height
    x.speed = habit.speedX
    y.speed = habit.speedY
  }

  /// Stops a center that would leave an image at its edge: there it may come in again.
  mutating func keep(insideWidth imageWidth: Double, height imageHeight: Double) {
    if !(0...imageWidth).contains(x.location) {
      x.stop(at: min(max(x.location, 0), imageWidth))
    }
    if !(0...imageHeight).contains(y.location) {
      y.stop(at: min(max(y.location, 0), imageHeight))
    }
  }

  /// The squared Mahalanobis distance of an observed center: χ² with two degrees of freedom.
  func surprise(at observed: ImageRect) -> Double {
    let deviation = Self.boxDeviation * box.scale
    let noise = deviation * deviation
    let (right, down) = (observed.centerX - x.location, observed.centerY - y.location)
    return right * right / (x.variance + noise) + down * down / (y.variance + noise)
  }

  /// Four deviations from where an object should be.
  static let largestSurprise = 16.0
  // In sizes, sizes per frame, and sizes per frame squared.
  private static let boxDeviation = 0.06
  private static let startDeviation = 0.3
  private static let accelerationDeviation = 0.03
  private static let growthDeviation = 0.05
  private static let growthNoise = 0.01
  // What remains of a speed after a frame.
  private static let unseenDamping = 0.98
  private static let growthDamping = 0.95
}

/// How large an object is and how fast it moves, in pixels and pixels per frame.
struct Habit: Sendable {
  var width: Double
  var height: Double
  var speedX: Double
  var speedY: Double

  /// Moves towards another: by 0 not at all, by 1 all the way.
  mutating func blend(with other: Habit, by share: Double) {
    width += (other.width - width) * share
    height += (other.height - height) * share
    speedX += (other.speedX - speedX) * share
    speedY += (other.speedY - speedY) * share
  }
}
