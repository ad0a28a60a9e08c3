// SPDX-License-Identifier: Apache-2.0

import DocumentSnippets
import Foundation
import MLKit
import TensorFlowLite
import Testing

extension Guides {
  /// Custom models with the model downloader.
  @Suite
  @MainActor
  struct DownloadedModel {
    @Test(.enabled(if: LocalHost.isAvailable, "there is no python3"))
    func `001-1 to 5: a model is downloaded, run and read`() async throws {
      try BundleFiles.prepare()
      await #expect(processExitsWith: .success) { try await DownloadedModel().runAll() }
    }

    /// In a process of its own, which has not asked `Bundle.main` for anything before.
    fileprivate func runAll() async throws {
      let host = try LocalHost(
        model: "your_model", Data(contentsOf: URL(fileURLWithPath: colorsPath)))
      let guide = DownloadedModelGuide()
      var outcome: Result<TensorFlowLite.Interpreter, any Error>?
      guide.getModel { outcome = $0 }
      try await wait { outcome != nil }
      let interpreter = try #require(outcome).get()

      var inputData = Data()
      // Larger than the model's input: the guide reads the upper left corner.
      #expect(guide.inputData(CGImage(try image(250, 13, 100, size: 300))) { inputData = $0 })
      #expect(inputData.count == 224 * 224 * 3 * 4)
      try guide.invoke(interpreter, inputData)

      var lines: [String] = []
      try guide.show(interpreter) { lines.append($0) }
      let expected = colorProbabilities(250.0 / 255, 13.0 / 255, 100.0 / 255)
      try #require(lines.count == 1000)
      for (index, line) in lines.enumerated() {
        let parts = line.split(separator: ": ")
        #expect(parts[0] == "color \(index)")
        #expect(abs((Double(parts[1]) ?? -1) - expected[index]) < 1e-4)
      }
      #expect(expected.indices.max { expected[$0] < expected[$1] } == 903)

      // The model is there now, and needs no host any more.
      host.stop()
      outcome = nil
      guide.getModel { outcome = $0 }
      try await wait { outcome != nil }
      #expect(throws: Never.self) { try outcome?.get() }
    }

    @Test func `001-2: without an app and a host, the download fails and says why`() async throws {
      let guide = DownloadedModelGuide()
      ModelHosts.storeRoot = NSTemporaryDirectory() + "martlet-no-store-\(UUID().uuidString)"
      var outcome: Result<TensorFlowLite.Interpreter, any Error>?
      guide.getModel { outcome = $0 }
      try await wait { outcome != nil }
      #expect(
        throws: DownloadError.internalError(description: "Default Firebase app not configured.")
      ) { try outcome?.get() }
    }
  }
}
