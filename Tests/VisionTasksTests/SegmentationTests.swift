// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Imaging
import Martlet
import ModelTasks
import Testing
import VisionTasks

/// Segmentation of outputs that are known.
@Suite struct SegmentationTests {
  private func decoder(
    _ shape: [Int], holdsCategories: Bool = false,
    order: SegmentationLayout.Order = .categoriesLast,
    activation: SegmentationActivation = .none
  ) throws -> SegmentationDecoder {
    SegmentationDecoder(
      try SegmentationLayout(shape: shape, holdsCategories: holdsCategories, order: order),
      activation: activation)
  }

  @Test func `the first of the greatest scores decides, and NaN never does`() throws {
    let values: [Float] = [
      0.2, 0.5, 0.5, .nan, -1, -2, .nan, .nan, .nan, -3, -2, -1,
    ]
    let mask = try decoder([1, 2, 2, 3]).categories(values)
    #expect(mask.categories == [1, 1, 255, 2])
    #expect(mask.width == 2)
    let turned = try decoder([1, 3, 2, 2], order: .categoriesFirst).categories(
      [0.2, .nan, .nan, -3, 0.5, -1, .nan, -2, 0.5, -2, .nan, -1])
    #expect(turned == mask)
  }

  @Test func `one confidence is foreground above a half, as MediaPipe has it`() throws {
    let values: [Float] = [0.5, 0.51, .nan, 7]
    #expect(try decoder([1, 2, 2, 1]).categories(values).categories == [255, 0, 255, 0])
    #expect(
      try decoder([1, 2, 2], activation: .sigmoid).categories([-1, 0, 0.1, .nan]).categories
        == [255, 255, 0, 255])
  }

  @Test func `categories that no byte holds are unlabeled`() throws {
    let mask = try decoder([1, 2, 3], holdsCategories: true).categories([0, 21, 255, 256, -1, .nan])
    #expect(mask.categories == [0, 21, 255, 255, 255, 255])
  }

  @Test func `activations of a pixel`() throws {
    let values: [Float] = [0, 1.098_612_3, 0, 0]
    let sigmoid = try decoder([1, 1, 2, 2], activation: .sigmoid).confidences(values)
    #expect(abs(sigmoid[1].values[0] - 0.75) < 1e-6)
    #expect(sigmoid[0].values == [0.5, 0.5])
    let softmax = try decoder([1, 1, 2, 2], activation: .softmax).confidences(values)
    #expect(abs(softmax[0].values[0] - 0.25) < 1e-6)
    #expect(softmax[1].values[1] == 0.5)
    let large = try decoder([1, 1, 1, 2], activation: .softmax).confidences([1000, 1000])
    #expect(large.map(\.values) == [[0.5], [0.5]])
  }

  /// Scores 0, 1 against 0.4, 0.4: bilinear to four pixels 0, ¼, ¾, 1, so that two pixels change.
  @Test func `scores are resized before the greatest decides`() throws {
    let decoder = try decoder([1, 1, 2, 2])
    let values: [Float] = [0, 0.4, 1, 0.4]
    let mask = try decoder.categories(
      values, storedAs: .up, MaskPlacement(width: 4, height: 1))
    #expect(mask.categories == [1, 1, 0, 0])
    let part = try decoder.categories(
      values, storedAs: .up,
      MaskPlacement(
        width: 8, height: 1, frame: ImageRect(x: 2, y: 0, width: 4, height: 1)))
    #expect(part.categories == [255, 255, 1, 1, 0, 0, 255, 255])
    let turned = try decoder.categories(
      values, storedAs: .right, MaskPlacement(width: 1, height: 4))
    #expect(turned.categories == [0, 0, 1, 1] || turned.categories == [1, 1, 0, 0])
    #expect(
      turned.upright(from: .right).categories == mask.categories)
  }

  static let wrong: [(shape: [Int], holdsCategories: Bool, rule: String)] = [
    ([4], false, "Output tensor is expected to have 4 dimensions, found 1."),
    ([2, 4, 4, 3], false, "Expected batch size of 1, found 2."),
    ([1, 4, 4, 257], false, "Expected at most 256 output classes, found 257."),
    ([1, 4, 4, 2], true, "Categories need one number for each pixel, found 2."),
    ([1, 40000, 4, 2], false, "An output of 4x40000 pixels is too large for a mask."),
  ]

  @Test(arguments: wrong.indices) func `outputs that are no masks say why`(index: Int) {
    let (shape, holdsCategories, rule) = Self.wrong[index]
    #expect {
      try SegmentationLayout(shape: shape, holdsCategories: holdsCategories)
    } throws: { error in
      guard case VisionError.incompatibleModel(let text) = error else { return false }
      return text == rule
    }
    #expect(throws: VisionError.self) { try decoder([1, 2, 2, 3]).categories([1, 2]) }
  }

  /// The model always says: left category 1, right category 2.
  private static func model(_ custom: [UInt8]? = nil) throws -> Model {
    var model = DetectorModel(boxes: [], classes: [], scores: [])
    model.outputs = [
      DetectorModel.Tensor(
        name: "masks", shape: [1, 2, 2, 3], values: [0, 2, 1, 0, 1, 2, 0, 3, 1, 0, 0, 1])
    ]
    return try model.model()
  }

  @Test func `masks come in the size and orientation of the image`() throws {
    var options = ImageSegmenter.Options()
    options.wantsConfidences = true
    options.activation = .softmax
    options.labels = LabelMap(classNames: ["none", "left", "right"])
    let image = try PixelBuffer(width: 6, height: 4, format: .rgb8, filledWith: .white)
    let segmentation = try ImageSegmenter(Self.model(), options: options).segment(image)
    #expect(segmentation.categoryMask.width == 6)
    #expect(segmentation.categoryMask.category(column: 0, row: 3) == 1)
    #expect(segmentation.categoryMask.category(column: 5, row: 0) == 2)
    #expect(segmentation.confidenceMasks.count == 3)
    #expect(segmentation.shares.map(\.label.label) == ["left", "right"])
    #expect(segmentation.labels.map(\.color)[2] == PixelColor(red: 0, green: 128, blue: 0))

    options.maskSize = .model
    let turned = try ImageSegmenter(Self.model(), options: options)
      .segment(image, orientation: .upMirrored)
    #expect(turned.categoryMask.categories == [2, 1, 2, 1])
    let foreground = try turned.foreground(of: [1])
    #expect(foreground.values[1] > 0.6)
    #expect(foreground.values[0] < 0.3)
    #expect(throws: VisionError.self) { try turned.foreground(of: [3]) }
  }

  @Test func `the only category is drawn, and a background is not`() throws {
    var single = DetectorModel(boxes: [], classes: [], scores: [])
    single.outputs = [
      DetectorModel.Tensor(name: "mask", shape: [1, 2, 2, 1], values: [0, 1, 0, 1])
    ]
    let image = try PixelBuffer(width: 2, height: 1, format: .rgb8, filledWith: .white)
    let foreground = try ImageSegmenter(single.model()).segment(image)
    #expect(foreground.overlay(on: image).bytes[..<3] == [255, 255, 255])
    #expect(foreground.overlay(on: image).bytes[3...] != [255, 255, 255])

    var options = ImageSegmenter.Options()
    options.maskSize = .model
    let several = try ImageSegmenter(Self.model(), options: options).segment(image)
    #expect(several.usualStyle.hidden.contains(0))
  }
}
