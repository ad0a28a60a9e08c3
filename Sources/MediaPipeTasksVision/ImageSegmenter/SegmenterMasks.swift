// SPDX-License-Identifier: Apache-2.0

import Foundation
import VisionTasks

/// Which masks a segmenter gives.
struct SegmenterMasks: Sendable {
  private let hasConfidences: Bool
  private let hasCategories: Bool

  /// - Throws: `NSError` with the sentence `refusal` where there is none.
  init(confidences: Bool, categories: Bool, refusal: String) throws(NSError) {
    guard confidences || categories else {
      throw TasksErrorCode.invalidArgumentError.status(refusal)
    }
    (hasConfidences, hasCategories) = (confidences, categories)
  }

  /// What the engine must be told to give them, with display names in a language.
  func settings(locale: String) -> VisionTasks.ImageSegmenter.Options {
    var settings = VisionTasks.ImageSegmenter.Options()
    settings.preprocessing = .mediaPipe
    settings.wantsConfidences = hasConfidences
    settings.locale = locale
    return settings
  }

  /// The masks of an image.
  func result(_ found: Segmentation, timestampInMilliseconds: Int) -> ImageSegmenterResult {
    let quality =
      found.qualityScores.isEmpty
      ? [Float](repeating: 1, count: found.labels.count) : found.qualityScores
    return ImageSegmenterResult(
      confidenceMasks: hasConfidences ? found.confidenceMasks.map { Mask($0) } : nil,
      categoryMask: hasCategories ? Mask(found.categoryMask) : nil,
      qualityScores: quality.map { NSNumber(value: $0) },
      timestampInMilliseconds: timestampInMilliseconds)
  }
}

extension ImageSegmenterResult {
  /// Hands the result of `segment`, or its error, to `completion`.
  static func complete(
    _ completion: (ImageSegmenterResult?, (any Error)?) -> Void,
    _ segment: () throws(NSError) -> ImageSegmenterResult
  ) {
    do throws(NSError) { completion(try segment(), nil) } catch { completion(nil, error) }
  }
}
