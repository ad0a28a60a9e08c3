// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Imaging
import Martlet
import TestSupport
import Testing
import VisionTasks

/// Segmentation by models that take the mask of the image before, with a drawn one whose scores are
/// the blue of the image and that mask.
@Suite struct MaskFeedbackTests {
  private static func segmenter(areFrames: Bool, channels: Int = 4) throws -> ImageSegmenter {
    var model = DrawnModel()
    let input = model.tensor([1, 4, 4, channels])
    let output = model.tensor([1, 4, 4, 2])
    model.node(
      .slice,
      [
        input, model.constant([0, 0, 0, Int32(channels - 2)]), model.constant([1, 4, 4, 2]),
      ], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    var options = ImageSegmenter.Options()
    options.areFrames = areFrames
    options.wantsConfidences = true
    return try ImageSegmenter(model.loaded(), options: options)
  }

  private static func image(blue: UInt8) throws -> PixelBuffer {
    try PixelBuffer(
      width: 4, height: 4, format: .rgb8,
      filledWith: PixelColor(red: 200, green: 100, blue: blue))
  }

  /// The second of two scores by softmax.
  private static func confidence(_ first: Double, _ second: Double) -> Double {
    1 / (1 + exp(first - second))
  }

  /// What MediaPipe's `tflite_tensors_to_segmentation_calculator.cc` makes of a confidence and the
  /// one before, by its logarithms.
  private static func mixed(_ new: Double, _ before: Double) -> Double {
    let entropy = new * log(new + 0.001) + (1 - new) * log(1 - new + 0.001)
    var sureness = min(max(1 + entropy / log(2), 0), 1)
    sureness *= 2 - sureness
    return 0.9 * (new * sureness + before * (1 - sureness)) + 0.1 * new
  }

  @Test func `frames get the mask before, and are mixed with it`() throws {
    let segmenter = try Self.segmenter(areFrames: true)
    #expect(segmenter.input.normalization == .zeroToOne)
    #expect(segmenter.input.normalizationOrigin == .maker)
    var before = Self.confidence(1, 0)
    var found = try segmenter.segment(Self.image(blue: 255))
    #expect(abs(Double(found.confidenceMasks[1].values[5]) - before) < 1e-5)
    #expect(found.categoryMask.categories.allSatisfy { $0 == 0 })
    for blue in [0, 102, 255] {
      let alpha = (before * 255).rounded(.down) / 255
      let new = Self.confidence(Double(blue) / 255, alpha)
      before = Self.mixed(new, before)
      found = try segmenter.segment(Self.image(blue: UInt8(blue)))
      // The polynomial that stands for the entropy is not exact.
      #expect(abs(Double(found.confidenceMasks[1].values[5]) - before) < 0.01, "\(blue)")
      #expect(
        found.confidenceMasks[0].values[5] + found.confidenceMasks[1].values[5] == 1, "\(blue)")
    }
  }

  @Test func `images alone have no mask before`() throws {
    let segmenter = try Self.segmenter(areFrames: false)
    for _ in 0..<2 {
      let found = try segmenter.segment(Self.image(blue: 51))
      let wanted = Self.confidence(0.2, 0)
      #expect(abs(Double(found.confidenceMasks[1].values[0]) - wanted) < 1e-5)
    }
  }

  @Test func `three channels are colors as before`() throws {
    #expect(throws: VisionError.self) { try Self.segmenter(areFrames: true, channels: 3) }
  }
}
