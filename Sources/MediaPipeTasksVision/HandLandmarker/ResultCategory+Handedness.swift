// SPDX-License-Identifier: Apache-2.0

import MediaPipeTasksCommon
import VisionTasks

extension ResultCategory {
  /// Which hand it is, where the model tells; MediaPipe counts the right one as 0.
  static func handedness(
    of hand: VisionTasks.HandLandmarker.Hand
  ) -> [ResultCategory] {
    guard let side = hand.handedness, let score = hand.handednessScore else { return [] }
    let name = side == .right ? "Right" : "Left"
    return [
      ResultCategory(
        index: side == .right ? 0 : 1, score: score, categoryName: name, displayName: name)
    ]
  }
}
