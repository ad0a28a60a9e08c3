// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Dispatch
import Foundation
import MLKit
import Testing

extension Guides {
  /// Completion handlers.
  @Suite
  @MainActor
  struct CompletionQueue {
    private static let key = DispatchSpecificKey<String>()

    @Test
    func `run on the main queue, or where the program wants them; then results may be had there`()
      async throws
    {
      let labeler = ImageLabeler.imageLabeler(
        options: CustomImageLabelerOptions(
          localModel: LocalModel(path: try BundledModels.path(of: BundledModels.digits))))
      let image = try VisionImage(
        contentsOfFile: BundledModels.path(of: BundledModels.digitSamples[8]))
      DispatchQueue.main.setSpecific(key: Self.key, value: "main")
      defer { DispatchQueue.main.setSpecific(key: Self.key, value: nil) }
      #expect(await location(labeler, image) == "main")
      #expect(throws: NSError.self) { try labeler.results(in: image) }

      let queue = DispatchQueue(label: "a program's own")
      queue.setSpecific(key: Self.key, value: "own")
      MLKitSettings.completionQueue = queue
      defer { MLKitSettings.completionQueue = .main }
      #expect(await location(labeler, image) == "own")
      #expect(try labeler.results(in: image)[0].text == "8")
    }

    /// Where the completion handler of a labeler runs.
    private func location(_ labeler: ImageLabeler, _ image: VisionImage) async -> String? {
      let key = Self.key
      return await withCheckedContinuation { done in
        labeler.process(image) { _, _ in done.resume(returning: DispatchQueue.getSpecific(key: key))
        }
      }
    }
  }
}
