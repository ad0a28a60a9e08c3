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
