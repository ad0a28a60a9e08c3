// SPDX-License-Identifier: Apache-2.0

import Imaging
import SeededRandom

extension SeededRandom {
  /// From 0 to 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Nearly normal, of mean 0 and deviation 1: twelve uniform numbers added.
  mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + unit() } }
}

/// Something that moves through a scene.
struct TrackingActor: Sendable {
  enum Pattern: Sendable { case plain, stripes, bands, checks, dots, halves }

  /// A location on the way: the center in pixels.
  struct Stop: Sendable {
    let frame: Int
    let x: Double
    let y: Double
  }

  let width: Double
  let height: Double
  let colors: (UInt32, UInt32)
  let pattern: Pattern
  var isRound = false
  /// Scenery is drawn, but neither found by the detector nor counted.
  var isScenery = false
  let way: [Stop]

  /// The whole box in a frame; nil before the first stop and after the last.
  func box(at frame: Int) -> ImageRect? {
    guard let next = way.firstIndex(where: { $0.frame >= frame }) else { return nil }
    let to = way[next]
    let from = next > 0 ? way[next - 1] : to
    guard to.frame == frame || next > 0 else { return nil }
    let part =
      to.frame == from.frame ? 0 : Double(frame - from.frame) / Double(to.frame - from.frame)
    let x = from.x + (to.x - from.x) * part
    let y = from.y + (to.y - from.y) * part
    return ImageRect(x: x - width / 2, y: y - height / 2, width: width, height: height)
  }

  /// The color at a location of the box, both coordinates from 0 to 1; nil beside a round shape.
  func color(_ u: Double, _ v: Double) -> UInt32? {
    let (right, down) = (2 * u - 1, 2 * v - 1)
    if isRound, right * right + down * down > 1 { return nil }
    let isSecond =
      switch pattern {
      case .plain: false
      case .stripes: Int(u * 6) % 2 == 1
      case .bands: Int(v * 6) % 2 == 1
      case .checks: (Int(u * 4) + Int(v * 4)) % 2 == 1
      case .dots:
        (u * 3 - (u * 3).rounded(.down) - 0.5).magnitude
          + (v * 3 - (v * 3).rounded(.down) - 0.5).magnitude < 0.35
      case .halves: v > 0.5
      }
    return isSecond ? colors.1 : colors.0
  }
}
