// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The regions of a video's image before, for the next one.
struct TrackedRegions {
  private var rects: [NormalizedRect] = []
  private var columns = 0
  private var rows = 0

  /// The regions of the image before; none for an image of another size.
  func previous(_ image: UprightImage) -> [NormalizedRect] {
    columns == image.columns && rows == image.rows ? rects : []
  }

  /// Keeps the regions for the next image; those that are no rectangles are dropped.
  mutating func keep(_ rects: [NormalizedRect], of image: UprightImage) {
    self.rects = rects.filter(\.isUsable)
    (columns, rows) = (image.columns, image.rows)
  }

  /// Forgets all.
  mutating func reset() { rects = [] }
}

/// What the landmarkers of faces, hands and poses have in common.
struct LandmarkerSettings {
  /// The most faces, hands or poses.
  var maxCount: Int
  /// The least score of the detector.
  var minDetectionScore: Float
  /// The least score of the landmark model's presence.
  var minPresenceScore: Float
  /// The greatest overlap of regions of two images that are not the same.
  var minTrackingScore: Float

  /// Refuses impossible numbers.
  func check() throws(VisionError) {
    guard (1...1 << 10).contains(maxCount) else {
      throw .invalidOption("1 to 1024 results, not \(maxCount)")
    }
    try KeyPointDetector.check(minDetectionScore, "the least detection score")
    try KeyPointDetector.check(minPresenceScore, "the least presence score")
    try KeyPointDetector.check(minTrackingScore, "the least tracking score")
  }
}
