// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// What an object looks like: how often which colors occur in the upper and lower part of its box.
///
/// Pixels near the middle count more than those at the edge, where there is more background. Each
/// pixel is shared out among neighboring colors, so that a little noise changes little.
public struct Appearance: Sendable, Hashable {
  /// The square roots of the shares of colors: a vector of length 1.
  private var roots: [Float]

  /// The look of a part of an image.
  ///
  /// At most 576 pixels are looked at, whatever the size.
  ///
  /// - Parameters:
  ///   - frame: The object's box; the part in the image counts. Nil if there is none.
  ///   - image: The image, in any format; alpha does not matter.
  public init?(of frame: ImageRect, in image: PixelBuffer) {
    guard let part = image.pixels(of: frame) else { return nil }
    var shares = [Float](repeating: 0, count: 2 * Self.colorCount)
    let columns = Self.samples(part.width)
    let rows = Self.samples(part.height)
    for row in rows {
      for column in columns {
        let color = image.color(column: part.x + column.location, row: part.y + row.location)
        let distance = column.offset * column.offset + row.offset * row.offset
        let weight = max(1 - distance, 0.05)
        let lower = min(max(row.offset + 0.5, 0), 1)
        Self.share(color, weight: weight * (1 - lower), among: &shares, from: 0)
        Self.share(color, weight: weight * lower, among: &shares, from: Self.colorCount)
      }
    }
    let total = shares.reduce(0, +)
    roots = shares.map { ($0 / total).squareRoot() }
  }

  /// How different two looks are: 0 for the same colors, 1 for no color in common.
  ///
  /// This is the Hellinger distance, `√(1 - Σ √(p q))`.
  ///
  /// - Parameter other: The look to compare with.
  /// - Returns: A number from 0 to 1.
  public func distance(to other: Appearance) -> Double {
    var common: Float = 0
    for index in roots.indices { common += roots[index] * other.roots[index] }
    return Double(max(1 - common, 0)).squareRoot()
  }

  /// Moves towards another look: by 0 not at all, by 1 all the way.
  mutating func blend(with other: Appearance, by share: Float) {
    var squares: Float = 0
    for index in roots.indices {
      roots[index] += (other.roots[index] - roots[index]) * share
      squares += roots[index] * roots[index]
    }
    let length = squares.squareRoot()
    for index in roots.indices { roots[index] /= length }
  }

  /// Locations to look at along a side, and where they are between -1 and 1.
  private static func samples(_ length: Int) -> [(location: Int, offset: Float)] {
    let count = min(length, 24)
    return (0..<count).map { index in
      let location = (2 * index + 1) * length / (2 * count)
      return (location, (2 * Float(location) + 1) / Float(length) - 1)
    }
  }

  /// Adds a pixel to the eight colors around it.
  private static func share(
    _ color: PixelColor, weight: Float, among shares: inout [Float], from start: Int
  ) {
    let luma = Float(color.luma) / 255
    let light = Level(luma, of: lightCount)
    let warm = Level(tint(Float(color.red) / 255 - luma), of: tintCount)
    let cold = Level(tint(Float(color.blue) / 255 - luma), of: tintCount)
    for (lightStep, lightWeight) in light.steps {
      for (warmStep, warmWeight) in warm.steps {
        let location = start + (lightStep * tintCount + warmStep) * tintCount
        for (coldStep, coldWeight) in cold.steps {
          shares[location + coldStep] += weight * lightWeight * warmWeight * coldWeight
        }
      }
    }
  }

  /// A difference from grey, -1 to 1, as a position from 0 to 1: small differences are spread out,
  /// for most things have muted colors.
  private static func tint(_ difference: Float) -> Float {
    let root = difference.magnitude.squareRoot()
    return (1 + (difference < 0 ? -root : root)) / 2
  }

  private static let lightCount = 6
  private static let tintCount = 9
  private static let colorCount = lightCount * tintCount * tintCount
}

/// A value between two of some levels.
private struct Level {
  let lower: Int
  let upperShare: Float

  /// The neighbors of a value from 0 to 1 among so many levels.
  init(_ value: Float, of count: Int) {
    let location = min(max(value, 0), 1) * Float(count - 1)
    lower = min(Int(location), count - 2)
    upperShare = location - Float(lower)
  }

  var steps: [(step: Int, weight: Float)] {
    [(lower, 1 - upperShare), (lower + 1, upperShare)]
  }
}
