// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Imaging
import Martlet
import ModelTasks
import TestSupport
import Testing
import VisionTasks

private func isThere(_ location: String) -> Bool { PublishedModels.folder(location) != nil }

/// Published models that are no classifiers, in the folder that `MARTLET_TEST_MODELS` names.
@Suite(
  "Published segmenters, embedders and transformers",
  .enabled(if: PublishedModels.folder != nil, "MARTLET_TEST_MODELS is not set"))
struct SegmentationSharedModelTests {
  private static func model(_ name: String) throws -> Model {
    try Model(path: "\(try #require(PublishedModels.folder))/nets/\(name)/model.tflite")
  }

  private static func image(_ name: String) throws -> PixelBuffer {
    let url = URL(fileURLWithPath: "\(try #require(PublishedModels.folder))/images/\(name).png")
    return PixelBuffer(try PNG.decode([UInt8](try Data(contentsOf: url)))).converted(to: .rgb8)
  }

  private static let deepLab = "seg_deeplabv3_md"

  /// The task library's golden mask stores ten times the category.
  @Test(
    .enabled(if: isThere("nets/\(deepLab)/model.tflite"), "DeepLab is not there"))
  func `DeepLab's mask is the task library's up to one pixel of a hundred`() throws {
    var options = ImageSegmenter.Options()
    options.maskSize = .model
    options.preprocessing.filter = .libyuvBilinear
    let segmentation = try ImageSegmenter(Self.model(Self.deepLab), options: options)
      .segment(Self.image("tls_segmentation_input"))
    let golden = try Self.image("tls_segmentation_golden_rotation0").converted(to: .grey8)
    let mask = segmentation.categoryMask
    try #require(mask.categories.count == golden.bytes.count)
    let differing = zip(mask.categories, golden.bytes).count { Int($0) * 10 != Int($1) }
    #expect(differing * 100 < golden.bytes.count)
    #expect(segmentation.shares.prefix(3).map(\.label.label) == ["background", "person", "horse"])
  }

  @Test func `a selfie is told from its background`() throws {
    var options = ImageSegmenter.Options()
    options.preprocessing.normalization = .zeroToOne
    options.wantsConfidences = true
    let image = try Self.image("grace_hopper")
    let segmentation = try ImageSegmenter(
      Self.model("seg_selfie_landscape_fp16_customop"), options: options
    ).segment(image)
    let mask = segmentation.categoryMask
    #expect(mask.category(column: image.width / 2, row: image.height / 2) == 0)
    #expect(mask.category(column: 5, row: 5) == CategoryMask.unlabeled)
    #expect(mask.category(column: image.width - 5, row: 5) == CategoryMask.unlabeled)
    let part = try #require(segmentation.shares.first).part
    #expect((0.5...0.65).contains(part))
    let cut = try image.cutOut(by: segmentation.foreground())
    #expect(cut.color(column: 5, row: 5).alpha < 30)
    #expect(cut.color(column: image.width / 2, row: image.height / 2).alpha > 225)
  }

  @Test func `a street, and cars on it, in a mask of whole numbers`() throws {
    let segmentation = try ImageSegmenter(Self.model("seg_mosaic_r4_quant"))
      .segment(Self.image("traffic_1"))
    let mask = segmentation.categoryMask
    let car = mask.category(column: 85, row: 172)
    #expect(car != mask.category(column: 20, row: 210))
    #expect(mask.category(column: 238, row: 165) == car)
  }

  @Test func `a person is found by the anchors of YOLO-Fastest`() throws {
    var options = ObjectDetector.Options()
    options.preprocessing.normalization = .zeroToOne
    var grids = AnchorGrids.yoloFastest
    grids.grids[0].anchors = [.init(8, 18), .init(23, 55), .init(48, 126)]
    grids.grids[1].anchors = [.init(179, 94), .init(94, 214), .init(216, 261)]
    options.decoding = .anchorGrids(grids)
    let image = try Self.image("squat")
    let objects = try ObjectDetector(Self.model("det_yolo_fastest_person_int8"), options: options)
      .detect(image)
    try #require(objects.count == 1)
    #expect(objects[0].score > 0.9)
    #expect(abs(objects[0].frame.x - 88) < 8)
    #expect(abs(objects[0].frame.y - 105) < 8)
    #expect(abs(objects[0].frame.width - 214) < 10)
  }

  @Test func `the same burger in another size is more alike than a bird`() throws {
    let embedder = try ImageEmbedder(Self.model("emb_mobilenet_v2_035_96_dynamic_md"))
    let burger = try embedder.embed(Self.image("tls_burger"))[0]
    let small = try embedder.embed(Self.image("tls_burger_224"))[0]
    let bird = try embedder.embed(Self.image("tls_sparrow"))[0]
    #expect(embedder.dimensions == [1280])
    #expect(try Embedding.cosineSimilarity(burger, small) > 0.9)
    #expect(try Embedding.cosineSimilarity(burger, bird) < 0.4)
  }

  @Test func `tiles of a larger image are as the whole`() throws {
    var options = ImageTransformer.Options()
    options.preprocessing.normalization = Normalization.none
    options.tiling = .whole
    let image = try Self.image("bird").resized(toWidth: 60, height: 40, filter: .bilinear)
    let model = try Self.model("sr_edsr_f32b5_float_dyn")
    let whole = try ImageTransformer(model, options: options).transform(image)
    options.tiling = .tiles(side: 44, overlap: 14)
    let tiled = try ImageTransformer(model, options: options).transform(image)
    #expect(whole.width == 120)
    #expect(whole.height == 80)
    let differences = zip(whole.bytes, tiled.bytes).map { abs(Int($0) - Int($1)) }
    #expect(differences.max() ?? 255 <= 1)
  }
}
