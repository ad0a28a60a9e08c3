// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import Testing

/// Scores of several categories, placed in an image.
@Suite struct ScoreMapTests {
  /// A mask's place in an image of 13 × 9 pixels: all of it, a part, and over its edges.
  static let frames = [
    ImageRect(x: 0, y: 0, width: 13, height: 9), ImageRect(x: 2, y: 1, width: 7, height: 6.5),
    ImageRect(x: -4.5, y: -3, width: 22, height: 18), ImageRect(x: 40, y: 0, width: 13, height: 9),
  ]

  @Test(arguments: frames)
  func `the greatest scores are those of planes placed one by one`(frame: ImageRect) throws {
    let (width, height, depth) = (6, 5, 21)
    let placement = MaskPlacement(width: 13, height: 9, frame: frame)
    var values: [Float] = []
    for index in 0..<width * height * depth {
      let hash = index * 7919 % 64
      values.append(Float(hash) / 8)
      if index % 29 == 5 { values[index] = -.infinity }
      if index % 17 == 3 { values[index] = .nan }
    }
    var best = [Float](repeating: -.infinity, count: 13 * 9)
    var categories = [UInt8](repeating: 255, count: 13 * 9)
    for place in 0..<depth {
      let scores = (0..<width * height).map { values[$0 * depth + place] }
      let plane = try ConfidenceMask(
        width: width, height: height, values: scores
      ).upright(from: .down).placed(by: placement, outside: .nan)
      for (pixel, value) in plane.values.enumerated() where value > best[pixel] {
        best[pixel] = value
        categories[pixel] = UInt8(place)
      }
    }
    let found = try ScoreMap(width: width, height: height, depth: depth, values: values)
      .upright(from: .down).greatest(placedBy: placement)
    #expect(found.numbers == best)
    #expect(found.positions == categories)
    #expect(Set(found.positions).count > (frame.x > 13 ? 0 : 3))
  }

  @Test func `maps of another number of values are refused`() {
    #expect(throws: ImagingError.valueCount(7, wanted: 8)) {
      try ScoreMap(width: 2, height: 2, depth: 2, values: [Float](repeating: 0, count: 7))
    }
  }
}
