// SPDX-License-Identifier: Apache-2.0

import Tensors

/// The discrete Fourier transform of complex numbers as kissfft computes it, to the last bit.
///
///     X[f] = Σₜ x[t] · exp(∓2πi f t / n) / n
///
/// Numbers are brought into the order of mixed radixes, then transforms are put together from 4, 2,
/// 3 or 5 shorter ones. Integers are divided by the radix before each stage, so that sums fit;
/// floats are not divided by n at all. kissfft: `kiss_fft.c`.
struct SignalTransform<Number: SignalNumber>: Sendable {
  typealias Value = SignalComplex<Number>

  /// A stage: `radix` transforms of `length` numbers become one.
  struct Stage: Sendable {
    let radix: Int
    let length: Int
    /// The distance of a transform's numbers in the input, and of its twiddle factors.
    let distance: Int
  }

  let count: Int
  let isInverse: Bool
  /// From the longest transforms to the shortest.
  private let stages: [Stage]
  private let factors: [Value]

  /// The transform of `count` numbers; nil where it has a prime factor beyond 5, for which the
  /// runtime has no memory, or is none.
  init?(count: Int, isInverse: Bool) {
    guard count > 1, let stages = Self.stages(count) else { return nil }
    self.count = count
    self.isInverse = isInverse
    self.stages = stages
    factors = (0..<count).map { index in
      let angle: Double = -2 * Double.pi * Double(index) / Double(count)
      return Value(angle: isInverse ? -angle : angle)
    }
  }

  /// Powers of 4, then 2, 3 and 5; a rest whose square root is less than the radix is one itself.
  private static func stages(_ count: Int) -> [Stage]? {
    let root = Int(Double(count).squareRoot())
    var (stages, rest, radix, distance): ([Stage], Int, Int, Int) = ([], count, 4, 1)
    while rest > 1 {
      while rest % radix != 0 {
        radix = radix == 4 ? 2 : radix == 2 ? 3 : radix + 2
        if radix > root { radix = rest }
      }
      guard radix <= 5 else { return nil }
      rest /= radix
      stages.append(Stage(radix: radix, length: rest, distance: distance))
      distance *= radix
    }
    return stages
  }

  /// The transform of `input`.
  func transform(_ input: [Value]) -> [Value] {
    var values = (0..<count).map { index in
      var (rest, place) = (index, 0)
      for stage in stages {
        place += rest / stage.length * stage.distance
        rest %= stage.length
      }
      return input[place]
    }
    for stage in stages.reversed() {
      for start in stride(from: 0, to: count, by: stage.radix * stage.length) {
        for index in start..<start + stage.length {
          join(&values, at: index, (index - start) * stage.distance, stage)
        }
      }
    }
    return values
  }

  /// Replaces the numbers of one frequency of the shorter transforms by those of the longer one.
  private func join(_ values: inout [Value], at index: Int, _ angle: Int, _ stage: Stage) {
    let (radix, length) = (stage.radix, stage.length)
    let first = values[index].share(of: radix)
    switch radix {
    case 2:
      let other = values[index + length].share(of: 2) * factors[angle]
      values[index + length] = first - other
      values[index] = first + other
    case 3:
      joinThree(&values, at: index, angle, stage)
    case 4:
      let a = values[index + length].share(of: 4) * factors[angle]
      let b = values[index + 2 * length].share(of: 4) * factors[2 * angle]
      let c = values[index + 3 * length].share(of: 4) * factors[3 * angle]
      let (even, odd) = (first + b, a + c)
      let turned = isInverse ? (a - c).turned : (c - a).turned
      values[index] = even + odd
      values[index + length] = first - b + turned
      values[index + 2 * length] = even - odd
      values[index + 3 * length] = first - b - turned
    default:
      joinFive(&values, at: index, angle, stage)
    }
  }

  private func joinThree(_ values: inout [Value], at index: Int, _ angle: Int, _ stage: Stage) {
    let length = stage.length
    let first = values[index].share(of: 3)
    let a = values[index + length].share(of: 3) * factors[angle]
    let b = values[index + 2 * length].share(of: 3) * factors[2 * angle]
    let sum = a + b
    let turned = (a - b).times(factors[stage.distance * length].imaginary).turned
    let middle =
      first - Value(.halfSum(sum.real, .zero), .halfSum(sum.imaginary, .zero))
    values[index] = first + sum
    values[index + length] = middle + turned
    values[index + 2 * length] = middle - turned
  }

  private func joinFive(_ values: inout [Value], at index: Int, _ angle: Int, _ stage: Stage) {
    let length = stage.length
    let parts = (0..<5).map { part in
      let value = values[index + part * length].share(of: 5)
      return part == 0 ? value : value * factors[part * angle]
    }
    let first = parts[0]
    let (outer, inner) = (parts[1] + parts[4], parts[2] + parts[3])
    let (outerGap, innerGap) = (parts[1] - parts[4], parts[2] - parts[3])
    let one = factors[stage.distance * length]
    let two = factors[2 * stage.distance * length]
    values[index] = first + (outer + inner)
    let near = first + outer.times(one.real) + inner.times(two.real)
    let nearTurn = outerGap.times(one.imaginary).turned + innerGap.times(two.imaginary).turned
    values[index + length] = near + nearTurn
    values[index + 4 * length] = near - nearTurn
    let far = first + outer.times(two.real) + inner.times(one.real)
    let farTurn = outerGap.times(two.imaginary).turned - innerGap.times(one.imaginary).turned
    values[index + 2 * length] = far + farTurn
    values[index + 3 * length] = far - farTurn
  }
}
