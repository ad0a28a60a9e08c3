// SPDX-License-Identifier: Apache-2.0

import DocumentSnippets
import Foundation
import Imaging
import MLKit
import Testing

extension Guides {
  /// Labeling with AutoML models.
  @Suite
  @MainActor
  struct AutoML {
    private let guide = AutoMLGuide()

    private func digit(_ digit: Int) throws -> UIImage {
      try #require(UIImage(data: try bundled("digits/samples/digit_\(digit).png")))
    }

    /// Labels an image as the guide does.
    private func labels(
      _ labeler: VisionImageLabeler, _ image: VisionImage
    ) async throws -> [(text: String, confidence: Float)] {
      var labels: [VisionImageLabel]?
      guide.process(labeler, image) { labels = $0 }
      try await wait { labels != nil }
      var read: [(String, Float)] = []
      guide.read(try #require(labels)) { read.append(($0, $1?.floatValue ?? -1)) }
      return read
    }

    /// The model beside the program.
    private func localModel() throws -> AutoMLLocalModel {
      try BundleFiles.prepare()
      var localModel: AutoMLLocalModel?
      #expect(!guide.localModel { localModel = $0 })
      return try #require(localModel)
    }

    @Test func `003-1, 4, 5, 8, 12, 13: a model beside the program names images`() async throws {
      let labeler = guide.labeler(try localModel())
      #expect(labeler.type == .onDeviceAutoML)
      for expected in [3, 7] {
        let labels = try await labels(labeler, guide.visionImage(digit(expected)))
        // A threshold of 0 keeps all labels, and their number is not limited.
        #expect(labels.count == 10)
        #expect(labels[0].text == "digit \(expected)")
        #expect(labels[0].confidence > 0.9)
        #expect(labels.map(\.confidence) == labels.map(\.confidence).sorted(by: >))
      }
    }

    @Test(.enabled(if: LocalHost.isAvailable, "there is no python3"))
    func `003-2, 3, 6, 7: a model is downloaded, announced, and preferred to the local one`()
      async throws
    {
      let localModel = try localModel()
      let host = try LocalHost(
        model: "your_remote_model", bundled("digits/digits_uint8.tflite"))
      let image = guide.visionImage(try digit(5))
      // Not downloaded yet: the local model's labels.
      let before = guide.labeler(guide.remoteModel(), orElse: localModel)
      #expect(try await labels(before, image)[0].text == "digit 5")

      guide.observe()
      _ = guide.download(guide.remoteModel())
      try await wait { guide.downloaded == ["your_remote_model"] }
      // The downloaded model has labels of its own, in its metadata.
      let after = guide.labeler(guide.remoteModel(), orElse: localModel)
      #expect(try await labels(after, image)[0].text == "5")
      withExtendedLifetime(host) {}
    }

    @Test func `003-9 to 11: the way a device is held becomes the orientation of a frame`()
      async throws
    {
      let labeler = guide.labeler(try localModel())
      let upright = try #require(try digit(2).cgImage?.pixels)
      let rows: [(UIDeviceOrientation, VisionDetectorImageOrientation, ImageTurn)] = [
        (.portrait, .rightTop, .quarterLeft), (.landscapeLeft, .topLeft, .none),
        (.portraitUpsideDown, .leftBottom, .quarterRight), (.landscapeRight, .bottomRight, .half),
        (.unknown, .leftTop, .transposed),
      ]
      defer { UIDevice.current.orientation = .unknown }
      for (held, expected, turn) in rows {
        UIDevice.current.orientation = held
        let metadata = guide.metadata()
        #expect(metadata.orientation == expected)
        let buffer = CVPixelBuffer(turn.applied(to: upright))
        let image = guide.visionImage(CMSampleBuffer(imageBuffer: buffer), metadata)
        #expect(try await labels(labeler, image)[0].text == "digit 2")
      }
    }

    /// How a camera that is held otherwise stores an upright image.
    enum ImageTurn {
      case none
      case quarterLeft
      case quarterRight
      case half
      case transposed

      /// The pixels as such a camera stores them, each looked up by itself.
      func applied(to image: PixelBuffer) -> PixelBuffer {
        let (width, height) = (image.width, image.height)
        let swaps = self == .quarterLeft || self == .quarterRight || self == .transposed
        let (newWidth, newHeight) = swaps ? (height, width) : (width, height)
        let channels = image.format.channelCount
        var bytes: [UInt8] = []
        for row in 0..<newHeight {
          for column in 0..<newWidth {
            let (x, y) =
              switch self {
              case .none: (column, row)
              case .half: (width - 1 - column, height - 1 - row)
              case .quarterLeft: (width - 1 - row, column)
              case .quarterRight: (row, height - 1 - column)
              case .transposed: (row, column)
              }
            let location = (y * width + x) * channels
            bytes += image.bytes[location..<location + channels]
          }
        }
        return
          (try? PixelBuffer(
            width: newWidth, height: newHeight, format: image.format, bytes: bytes)) ?? image
      }
    }

    @Test(
      .enabled(if: sharedModels != nil, "MARTLET_TEST_MODELS names no folder"),
      arguments: [
        ("mlkit_daisy", "daisy"), ("mlkit_dandelion", "dandelion"), ("mlkit_roses", "roses"),
        ("sunflower", "sunflowers"), ("mlkit_tulips", "tulips"),
      ])
    func `003-5, 12: the flowers of AutoML's own example`(name: String, label: String) async throws
    {
      let models = try #require(sharedModels)
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("martlet-flowers-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let extras = "\(models)/extras/automl/quickstart-ios__mlvision__automl_labeler_"
      let links = [
        ("automl_labeler_model.tflite", "\(models)/nets/cls_automl_flowers_mlkit/model.tflite"),
        ("automl_labeler_labels.txt", extras + "labels.txt"),
        ("automl_labeler_manifest.json", extras + "manifest.json"),
      ]
      for (name, target) in links {
        try FileManager.default.createSymbolicLink(
          atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
      }
      let manifest = folder.appendingPathComponent("automl_labeler_manifest.json").path
      let image = try #require(UIImage(contentsOfFile: "\(models)/images/\(name).png"))
      let labels = try await labels(
        guide.labeler(AutoMLLocalModel(manifestPath: manifest)), guide.visionImage(image))
      #expect(labels.count == 5)
      #expect(labels[0].text == label)
    }
  }
}
