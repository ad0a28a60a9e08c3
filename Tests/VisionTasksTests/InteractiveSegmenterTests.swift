// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import Landmarks
import Martlet
import TestSupport
import Testing
import VisionTasks

/// Segmentation by what a user points at, with a drawn model whose mask is what it was shown.
@Suite struct InteractiveSegmenterTests {
  /// A model of 8 × 8 pixels whose output is the fourth channel of its input, divided by 255.
  private static func model(channels: Int = 4) throws -> Model {
    var model = DrawnModel()
    let input = model.tensor([1, 8, 8, channels])
    let output = model.tensor([1, 8, 8, 1])
    model.node(
      .slice,
      [
        input, model.constant([0, 0, 0, Int32(channels - 1)]), model.constant([1, 8, 8, 1]),
      ], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    return try model.loaded()
  }

  private static func segmenter() throws -> InteractiveSegmenter {
    var options = ImageSegmenter.Options()
    options.preprocessing.filter = .cornerBilinear
    options.preprocessing.normalization = .zeroToOne
    options.wantsConfidences = true
    return try InteractiveSegmenter(model(), options: options)
  }

  private static func image() throws -> PixelBuffer {
    try PixelBuffer(
      width: 8, height: 8, format: .rgb8,
      filledWith: PixelColor(red: 9, green: 8, blue: 7))
  }

  @Test func `the model sees where the user points`() throws {
    let found = try Self.segmenter().segment(Self.image(), at: [Landmark(x: 2.5, y: 3.5)])
    let mask = try #require(found.confidenceMasks.first)
    // A pixel and its four neighbors, as OpenCV's circle of radius 1.
    let marked = mask.values.indices.filter { mask.values[$0] > 0.5 }
    #expect(marked == [2 * 8 + 2, 3 * 8 + 1, 3 * 8 + 2, 3 * 8 + 3, 4 * 8 + 2])
    #expect(mask.values.allSatisfy { $0 == 0 || $0 == 1 })
    #expect(found.categoryMask.categories[3 * 8 + 2] == 0)
    #expect(found.categoryMask.categories[0] == CategoryMask.unlabeled)
  }

  @Test func `scribbles are all of their points, cut off at the edges`() throws {
    let points = [Landmark(x: 0, y: 0), Landmark(x: 8, y: 8), Landmark(x: 7.9, y: 4)]
    let found = try Self.segmenter().segment(Self.image(), at: points)
    let mask = try #require(found.confidenceMasks.first)
    let marked = mask.values.indices.filter { mask.values[$0] > 0.5 }
    #expect(marked == [0, 1, 8, 3 * 8 + 7, 4 * 8 + 6, 4 * 8 + 7, 5 * 8 + 7])
  }

  @Test func `a point on an image on its side is where it is stored`() throws {
    let found = try Self.segmenter().segment(
      Self.image(), at: [Landmark(x: 1.5, y: 5.5)], orientation: .right)
    let mask = try #require(found.confidenceMasks.first)
    #expect(mask.values[5 * 8 + 1] == 1 && mask.values[5 * 8 + 3] == 0)
  }

  @Test func `points beside the image and other models are refused`() throws {
    let segmenter = try Self.segmenter()
    for points in [[], [Landmark(x: -1, y: 0)], [Landmark(x: .nan, y: 0)], [Landmark(x: 0, y: 9)]] {
      #expect(throws: VisionError.self) { try segmenter.segment(Self.image(), at: points) }
    }
    #expect(throws: VisionError.self) { try InteractiveSegmenter(Self.model(channels: 3)) }
  }
}
