// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The three ways in which labelers and detectors look at an image, as it is when they are asked.
extension Worker {
  /// On another thread; `completion` gets what was found or the error, where such handlers run.
  func look<Finding>(
    at image: any MLKitCompatibleImage,
    _ body: @escaping (Value, VisionImage.Snapshot) throws(NSError) -> [Finding],
    completion: @escaping ([Finding]?, (any Error)?) -> Void
  ) {
    do throws(NSError) {
      let image = try image.snapshot()
      start { value throws(NSError) in
        try body(value, image)
      } completion: { outcome in
        switch outcome {
        case .success(let findings): completion(findings, nil)
        case .failure(let error): completion(nil, error)
        }
      }
    } catch {
      MLKitSettings.complete { completion(nil, error) }
    }
  }

  /// On another thread.
  nonisolated(nonsending) func look<Finding>(
    at image: any MLKitCompatibleImage,
    _ body: @escaping (Value, VisionImage.Snapshot) throws(NSError) -> [Finding]
  ) async throws -> [Finding] {
    let image = try image.snapshot()
    return try await value { value throws(NSError) in try body(value, image) }
  }

  /// On this thread, which must not be the main one (see `Generation.checkThread`).
  func lookHere<Finding>(
    at image: any MLKitCompatibleImage,
    _ body: (Value, VisionImage.Snapshot) throws(NSError) -> [Finding]
  ) throws(NSError) -> [Finding] {
    try Generation.mlKit.checkThread("results(in:)")
    let image = try image.snapshot()
    return try perform { value throws(NSError) in try body(value, image) }
  }
}
