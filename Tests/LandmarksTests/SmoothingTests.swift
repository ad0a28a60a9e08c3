// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Testing

/// Filters over successive images.
@Suite struct SmoothingTests {
  private static let second: Int64 = 1_000_000_000

  @Test func `a low-pass filter follows with delay`() {
    var filter = LowPassFilter(alpha: 0.25)
    #expect(filter.apply(4) == 4)
    #expect(filter.apply(8) == 5)
    #expect(filter.apply(5, alpha: 1) == 5)
    #expect(filter.apply(9, alpha: 2) == 9)
    #expect(filter.rawValue == 9)
  }

  /// `one_euro_filter_test.cc`.
  @Test func `the 1€ filter gives what MediaPipe's tests expect`() throws {
    var fast = try OneEuroFilter(
      .init(frequency: 1, minCutoff: 0.001, beta: 1, derivativeCutoff: 0.001))
    #expect(fast.apply(2, at: 0) == 2)
    #expect(abs(fast.apply(100, at: 1000) - 79.8) < 0.2)
    var slow = try OneEuroFilter(
      .init(frequency: 1, minCutoff: 0.1, beta: 0, derivativeCutoff: 0.1))
    #expect(slow.apply(2, at: Self.second) == 2)
    #expect(abs(slow.apply(3, at: 2 * Self.second) - 2.4) < 0.1)
    #expect(abs(slow.apply(4, at: 3 * Self.second) - 3) < 0.1)
    #expect(slow.apply(7, at: 3 * Self.second) == 7)
    #expect(throws: LandmarkError.self) {
      try OneEuroFilter(.init(frequency: 1, minCutoff: 0, beta: 1, derivativeCutoff: 0))
    }
  }

  /// Computed in double precision from the paper's formulas: 30 Hz, cutoff 1 Hz, beta 0.5.
  @Test func `the 1€ filter is that of the paper`() throws {
    var filter = try OneEuroFilter(.init(frequency: 30, minCutoff: 1, beta: 0.5))
    let numbers = [1, 2, 4, 3, 3, 10, 10.5]
    var (value, speed, last) = (0.0, 0.0, 0.0)
    func alpha(_ cutoff: Double) -> Double { 1 / (1 + 25 / (2 * .pi * cutoff)) }
    for (index, number) in numbers.enumerated() {
      let rate = index == 0 ? 0 : (number - last) * 25
      speed = index == 0 ? 0 : alpha(1) * rate + (1 - alpha(1)) * speed
      let part = alpha(1 + 0.5 * abs(speed))
      value = index == 0 ? number : part * number + (1 - part) * value
      last = number
      let time = Self.second + Int64(index) * 40_000_000
      #expect(abs(filter.apply(number, at: time) - value) < 1e-5)
    }
  }

  /// `relative_velocity_filter_test.cc`: the more sensitive filter is nearer to each number.
  @Test(arguments: RelativeVelocityFilter.Distance.allCases)
  func `greater velocity scales follow faster`(distance: RelativeVelocityFilter.Distance) throws {
    var fast = try RelativeVelocityFilter(windowSize: 5, velocityScale: 45, distance: distance)
    var slow = try RelativeVelocityFilter(windowSize: 5, velocityScale: 0.1, distance: distance)
    #expect(fast.apply(1, at: 1_000_000) == slow.apply(1, at: 1_000_000))
    for (index, number) in ([10, 2, 20, 10, 50, 30] as [Float]).enumerated() {
      let time = Int64(index + 2) * 1_000_000
      let (first, second) = (fast.apply(number, at: time), slow.apply(number, at: time))
      #expect(abs(first - number) < abs(second - number))
    }
    #expect(fast.apply(77, at: 7_000_000) == 77)
    #expect(throws: LandmarkError.self) { try RelativeVelocityFilter(windowSize: 0) }
  }

  /// One step of 33 ms by hand: speed 2 / 0.033, α = 1 - 1 / (1 + 10 × speed × 0.01).
  @Test func `a velocity filter's part grows with speed`() throws {
    var filter = try RelativeVelocityFilter(windowSize: 1, velocityScale: 10)
    _ = filter.apply(1, at: 0, valueScale: 0.01)
    let result = filter.apply(3, at: 33_000_000, valueScale: 0.01)
    let speed = 0.02 / 0.033
    let part = 1 - 1 / (1 + 10 * speed)
    #expect(abs(Double(result) - (part * 3 + (1 - part))) < 1e-4)
  }

  @Test func `landmarks are filtered by coordinate, and small objects are not`() throws {
    var smoother = try LandmarkSmoother(.oneEuro(.face))
    let first = [Landmark(x: 0, y: 0), Landmark(x: 100, y: 50, visibility: 0.5)]
    let moved = [Landmark(x: 1, y: 0), Landmark(x: 101, y: 50, z: 1, visibility: 0.7)]
    #expect(smoother.apply(first, at: Self.second) == first)
    let result = smoother.apply(moved, at: Self.second + 33_000_000)
    #expect(result[0].x > 0 && result[0].x < 1 && result[0].y == 0)
    #expect(result[1].x > 100 && result[1].x < 101)
    #expect(abs(result[1].x - 100 - result[0].x) < 1e-4)
    #expect(result[1].visibility == 0.7)
    smoother.minObjectSize = 1000
    #expect(smoother.apply(first, at: 3 * Self.second) == first)
    smoother.minObjectSize = 0
    smoother.reset()
    #expect(smoother.apply(first, at: 1) == first)
    let odd = [Landmark(x: .nan, y: 0), Landmark(x: 0, y: 0)]
    _ = smoother.apply(odd, at: 2)
    #expect(smoother.apply(moved, at: 3)[1].x.isFinite)
    #expect(smoother.apply([], at: 4).isEmpty)
    var velocity = try LandmarkSmoother(.velocity(windowSize: 5, scale: 10))
    _ = velocity.apply(first, at: 0)
    #expect(velocity.apply(moved, at: 33_000_000)[0].x < 1)
  }

  @Test func `visibilities follow by a tenth`() {
    var smoother = VisibilitySmoother()
    _ = smoother.apply([Landmark(x: 0, y: 0, visibility: 1), Landmark(x: 0, y: 0)])
    let next = smoother.apply([Landmark(x: 5, y: 0, visibility: 0), Landmark(x: 0, y: 0)])
    #expect(abs((next[0].visibility ?? 0) - 0.9) < 1e-6 && next[0].x == 5)
    #expect(next[1].visibility == nil)
  }
}
