// SPDX-License-Identifier: Apache-2.0

import Imaging
import Martlet
import Testing
import VisionTasks

/// Describing models of images.
@Suite struct ImageMetadataTests {
  private static func file(_ name: String, _ text: String) -> AssociatedFileContents {
    AssociatedFileContents(name: name, contents: Array(text.utf8))
  }

  /// A classifier of three classes that takes images of `channels` channels as float32.
  private static func classifier(channels: Int32 = 3, outputs: [Int32] = [3]) throws -> Model {
    var model = DetectorModel(boxes: [], classes: [], scores: [])
    model.input = DetectorModel.Tensor(name: "in", shape: [1, 4, 4, channels])
    model.outputs = outputs.map { count in
      DetectorModel.Tensor(
        name: "out", shape: [1, count], values: (0..<count).map { Float($0) / 4 })
    }
    return try Model(bytes: try model.bytes())
  }

  private static func description(
    _ change: (inout ImageModelDescription) -> Void
  ) -> ImageModelDescription {
    var description = ImageModelDescription()
    change(&description)
    return description
  }

  @Test func `a described classifier labels images`() throws {
    let model = try Self.classifier()
    let description = Self.description {
      $0.normalization = NormalizationOptions(mean: [127.5], standardDeviation: [2, 4, 8])
      $0.labels = [
        .init(Self.file("labels.txt", "x\ny\nz\n")),
        .init(Self.file("labels-de.txt", "ix\nyps\nzett\n"), locale: "de"),
      ]
      $0.scoreThreshold = 0.4
    }
    let (metadata, files) = try description.added(to: nil, files: [], of: model)
    let input = try #require(metadata.subgraphs.first?.inputs.first)
    #expect(input.name == "image")
    #expect(
      input.processUnits == [
        .normalization(.init(mean: [127.5, 127.5, 127.5], standardDeviation: [2, 4, 8]))
      ])
    #expect(input.stats?.minimum == [-63.75, -31.875, -15.9375])
    let described = try Model(bytes: try model.bytes(with: metadata, files: files))
    var options = ImageClassifier.Options()
    options.locale = "de"
    let image = try PixelBuffer(width: 4, height: 4, format: .rgb8, filledWith: .white)
    let result = try ImageClassifier(described, options: options).classify(image)
    let labels = try #require(result.first?.classifications)
    #expect(labels.map(\.className) == ["z"])
    #expect(labels.map(\.displayName) == ["zett"])
  }

  @Test(arguments: [false, true])
  func `a described detector tells its outputs`(inSecondOrder: Bool) throws {
    var detector = DetectorModel(
      boxes: [[0.1, 0.2, 0.5, 0.6]], classes: [1], scores: [0.9])
    if inSecondOrder { detector = detector.inSecondOrder }
    let model = try Model(bytes: try detector.bytes())
    let description = Self.description {
      $0.order = inSecondOrder ? .tensorFlow2 : .tensorFlow1
      $0.labels = [.init(Self.file("map.txt", "cat\ndog\n"))]
    }
    let (metadata, files) = try description.added(to: nil, files: [], of: model)
    let outputs = try #require(metadata.subgraphs.first?.outputs)
    let names = ["location", "category", "score", "number of detections"]
    #expect(
      outputs.map(\.name) == (inSecondOrder ? [2, 0, 3, 1] : [0, 1, 2, 3]).map { names[$0] })
    #expect(metadata.subgraphs.first?.outputGroups.first?.tensorNames == Array(names.prefix(3)))
    let described = try Model(bytes: try model.bytes(with: metadata, files: files))
    let image = try PixelBuffer(width: 10, height: 10, format: .rgb8, filledWith: .white)
    let found = try ObjectDetector(described).detect(image)
    let object = try #require(found.first)
    #expect(object.category?.className == "dog")
    #expect(abs(object.extent.x - 2) < 0.01)
    #expect(abs(object.extent.y - 1) < 0.01)
  }

  @Test func `files that labels replace go, others stay`() throws {
    let model = try Self.classifier()
    let first = Self.description { $0.labels = [.init(Self.file("old.txt", "x\ny\nz\n"))] }
    let second = Self.description { $0.labels = [.init(Self.file("new.txt", "1\n2\n3\n"))] }
    let other = Self.file("other.bin", "data")
    var (metadata, files) = try first.added(to: nil, files: [other], of: model)
    (metadata, files) = try second.added(to: metadata, files: files, of: model)
    #expect(files.map(\.name) == ["other.bin", "new.txt"])
    #expect(metadata.allAssociatedFiles.map(\.name) == ["new.txt"])
  }

  @Test func `the output with as many classes gets the labels`() throws {
    let model = try Self.classifier(outputs: [2, 3])
    let description = Self.description { $0.labels = [.init(Self.file("l.txt", "x\ny\nz\n"))] }
    let (metadata, _) = try description.added(to: nil, files: [], of: model)
    #expect(metadata.subgraphs.first?.outputs.map(\.associatedFiles.count) == [0, 1])
  }

  static let refused: [(String, @Sendable (inout ImageModelDescription) -> Void)] = [
    ("too few labels", { $0.labels = [.init(file("l.txt", "x\ny\n"))] }),
    ("no labels", { $0.labels = [.init(file("l.txt", ""))] }),
    ("no such input", { $0.input = 1 }), ("no such output", { $0.output = -1 }),
    ("a deviation of 0", { $0.normalization = .init(mean: [0], standardDeviation: [0]) }),
    ("two means", { $0.normalization = .init(mean: [0, 1], standardDeviation: [1, 1]) }),
    ("a grey image", { $0.colorSpace = .grayscale }),
    ("an order of four outputs", { $0.order = .tensorFlow1 }),
    (
      "a calibration that is none",
      {
        $0.calibration = .init(
          file("c.txt", "1,2"), ScoreCalibrationOptions(transformation: .log, defaultScore: 0))
      }
    ),
  ]

  @Test(arguments: refused.indices)
  func `what does not fit the model is refused`(index: Int) throws {
    let description = Self.description(Self.refused[index].1)
    let model = try Self.classifier()
    #expect(throws: VisionError.self, "\(Self.refused[index].0)") {
      try description.added(to: nil, files: [], of: model)
    }
  }
}
