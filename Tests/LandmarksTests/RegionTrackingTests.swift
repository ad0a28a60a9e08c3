// SPDX-License-Identifier: Apache-2.0

import Imaging
import Landmarks
import Testing

/// Regions and masks from image to image, and masks of regions in images.
@Suite struct RegionTrackingTests {
  private static let found = NormalizedRect(centerX: 0.5, centerY: 0.5, width: 0.25, height: 0.5)

  private static func isKept(
    _ previous: NormalizedRect, _ landmarks: [Landmark] = [Landmark(x: 0.5, y: 0.5)]
  ) -> Bool {
    // A square of 50 × 50 pixels.
    RegionTracking.hand.region(
      found, previous: previous, landmarks: landmarks, columns: 200, rows: 100) == previous
  }

  @Test func `what has moved little keeps its region`() {
    var rect = Self.found
    #expect(Self.isKept(rect))
    rect.centerX += 9 / 200
    #expect(Self.isKept(rect))
    rect.centerX += 2 / 200
    #expect(!Self.isKept(rect))
    rect = Self.found
    rect.rotation = 39 * .pi / 180
    #expect(Self.isKept(rect))
    rect.rotation = 41 * .pi / 180
    #expect(!Self.isKept(rect))
    rect.rotation = -39 * .pi / 180 + 2 * .pi
    #expect(Self.isKept(rect))
    rect = Self.found
    rect.height *= 1.39
    #expect(Self.isKept(rect))
    rect.height = Self.found.height * 1.41
    #expect(!Self.isKept(rect))
  }

  @Test func `landmarks have to lie in the new region`() {
    // Half of 50 × 0.9 pixels from the middle.
    var rect = Self.found
    rect.centerX += 1 / 200
    #expect(Self.isKept(rect, [Landmark(x: 0.5 + 22 / 200, y: 0.5 - 22 / 100)]))
    #expect(!Self.isKept(rect, [Landmark(x: 0.5 + 23 / 200, y: 0.5)]))
    #expect(!Self.isKept(rect, [Landmark(x: .nan, y: 0.5)]))
  }

  @Test func `without a region before, the new one counts`() {
    let region = RegionTracking.face.region(
      Self.found, previous: nil, landmarks: [], columns: 200, rows: 100)
    #expect(region == Self.found)
  }

  @Test func `unsure values of a mask take from the mask before`() throws {
    var smoother = MaskSmoother(ratio: 0.7)
    let first = try ConfidenceMask(width: 3, height: 1, values: [1, 1, 0])
    #expect(smoother.apply(first) == first)
    let next = smoother.apply(try ConfidenceMask(width: 3, height: 1, values: [0.5, 0, 1]))
    // What is sure stays, and 0.5 takes seven tenths of the difference.
    #expect(abs(next.values[0] - 0.85) < 1e-6)
    #expect(abs(next.values[1]) < 0.01 && abs(next.values[2] - 1) < 0.01)
    let other = try ConfidenceMask(width: 1, height: 1, values: [0.5])
    #expect(smoother.apply(other) == other)
    smoother.reset()
    #expect(smoother.apply(first) == first)
  }

  @Test func `a mask lies where its region is`() throws {
    let mask = try ConfidenceMask(width: 2, height: 2, values: [0.1, 0.2, 0.3, 0.4])
    let rect = RotatedRect(centerX: 3, centerY: 2, width: 2, height: 2)
    let placed = try mask.placed(at: rect, columns: 5, rows: 4)
    #expect(placed.width == 5 && placed.height == 4)
    // Pixels 2 and 3 of rows 1 and 2; beyond the mask, it is 0.
    let expected: [Float] = [0, 0, 0, 0, 0, 0, 0, 0.1, 0.2, 0, 0, 0, 0.3, 0.4, 0, 0, 0, 0, 0, 0]
    #expect(placed.values == expected)
    // Turned by a quarter clockwise about (3, 2): right becomes down.
    let turned = try mask.placed(
      at: RotatedRect(centerX: 3, centerY: 2, width: 2, height: 2, rotation: .pi / 2),
      columns: 5, rows: 4)
    #expect(abs(turned.values[1 * 5 + 4] - 0.1) < 1e-6)
    #expect(abs(turned.values[2 * 5 + 4] - 0.2) < 1e-6)
    #expect(abs(turned.values[1 * 5 + 3] - 0.3) < 1e-6)
    // Twice as large: every second pixel is that of the mask, others lie between.
    let large = try mask.placed(
      at: RotatedRect(centerX: 2, centerY: 2, width: 4, height: 4), columns: 4, rows: 4)
    #expect(large.values[0] == 0.1 && large.values[2] == 0.2)
    #expect(abs(large.values[1] - 0.15) < 1e-6)
    #expect(throws: LandmarkError.self) {
      try mask.placed(
        at: RotatedRect(centerX: .nan, centerY: 0, width: 1, height: 1), columns: 4, rows: 4)
    }
  }

  @Test func `a hand of a body has a region around its fingers`() {
    // The wrist below the fingers: upright; the middle is a third from index to little finger.
    let rect = NormalizedRect(
      wrist: Landmark(x: 0.5, y: 0.9), littleFinger: Landmark(x: 0.65, y: 0.5),
      indexFinger: Landmark(x: 0.425, y: 0.5), columns: 200, rows: 100)
    #expect(abs(rect.centerX - 0.5) < 1e-6 && abs(rect.centerY - 0.5) < 1e-6)
    #expect(abs(rect.width - 0.4) < 1e-6 && abs(rect.height - 0.8) < 1e-6)
    #expect(abs(rect.rotation) < 1e-6)
  }
}
