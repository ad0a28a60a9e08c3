// SPDX-License-Identifier: Apache-2.0

import DocumentSnippets
import Foundation
import Imaging
import MLKit
import Testing

extension Guides {
  /// Custom models with Firebase ML Kit.
  @Suite
  @MainActor
  struct CustomModel {
    private let guide = CustomModelGuide()

    /// Runs an interpreter on an image of one color as the guide does; what it prints.
    private func labels(_ interpreter: ModelInterpreter) async throws -> [NSNumber] {
      var inputs: ModelInputs?
      let image = CGImage(try image(64, 128, 200))
      #expect(guide.inputs(image) { inputs = $0 })
      var outputs: ModelOutputs?
      guide.run(interpreter, try #require(inputs), guide.ioOptions()) { outputs = $0 }
      try await wait { outputs != nil }
      let results = try #require(outputs)
      return try #require(guide.probabilities(results))
    }

    private func check(_ probabilities: [NSNumber]) {
      let expected = colorProbabilities(64.0 / 255, 128.0 / 255, 200.0 / 255)
      #expect(probabilities.count == 1000)
      for (found, wanted) in zip(probabilities, expected) {
        #expect(abs(found.doubleValue - wanted) < 1e-4)
      }
    }

    @Test func `000-1, 4, 5, 8 to 12: a model beside the program says what color an image has`()
      async throws
    {
      try BundleFiles.prepare()
      await #expect(processExitsWith: .success) { try await CustomModel().runLocalModel() }
    }

    /// In a process of its own, which has not asked `Bundle.main` for anything before.
    fileprivate func runLocalModel() async throws {
      let localModel = try #require(guide.localModel())
      #expect(localModel.path.hasSuffix("your_model_directory/your_model.tflite"))

      let probabilities = try await labels(guide.interpreter(localModel))
      check(probabilities)

      var lines: [String] = []
      guide.show(probabilities) { lines.append($0) }
      try #require(lines.count == 1000)
      #expect(lines[257] == "color 257: \(probabilities[257])")
      #expect(
        probabilities.indices.max { probabilities[$0].floatValue < probabilities[$1].floatValue }
          == 257)
    }

    @Test(.enabled(if: LocalHost.isAvailable, "there is no python3"))
    func `000-2, 3, 6, 7: a model is downloaded, announced, and preferred to the local one`()
      async throws
    {
      let host = try LocalHost(
        model: "your_remote_model", Data(contentsOf: URL(fileURLWithPath: colorsPath)))
      let remoteModel = guide.remoteModel()
      #expect(remoteModel.name == "your_remote_model")
      let missing = CustomLocalModel(modelPath: "/no/such/model.tflite")
      #expect(!ModelManager.modelManager().isModelDownloaded(remoteModel))
      await #expect(throws: NSError.self) {
        try await guide.interpreter(remoteModel, orElse: missing).run(
          inputs: ModelInputs(), options: guide.ioOptions())
      }

      guide.observe()
      let progress = guide.download(remoteModel)
      try await wait { guide.downloaded == ["your_remote_model"] }
      #expect(guide.failures.isEmpty)
      #expect(progress.isFinished)
      #expect(progress.fractionCompleted == 1)
      #expect(ModelManager.modelManager().isModelDownloaded(remoteModel))
      check(try await labels(guide.interpreter(remoteModel, orElse: missing)))

      // A second download finds nothing newer, and is announced as well.
      _ = guide.download(remoteModel)
      try await wait { guide.downloaded.count == 2 }
      let path = try await ModelManager.modelManager().getLatestModelFilePath(remoteModel)
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: path))
          == Data(contentsOf: URL(fileURLWithPath: colorsPath)))
      try await ModelManager.modelManager().deleteDownloadedModel(remoteModel)
      #expect(!ModelManager.modelManager().isModelDownloaded(remoteModel))

      host.stop()
      _ = guide.download(remoteModel)
      try await wait { !guide.failures.isEmpty }
      #expect(guide.failures[0].domain == FirebaseMLErrorDomain)
    }
  }
}
