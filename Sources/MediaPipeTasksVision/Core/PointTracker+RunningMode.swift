// SPDX-License-Identifier: Apache-2.0

import VisionTasks

extension PointTracker {
  /// What is found in an image: one that has nothing to do with others, or the next frame, as the
  /// running mode has it.
  ///
  /// - Parameters:
  ///   - input: the image.
  ///   - mode: what the task is given.
  ///   - milliseconds: the time of a frame.
  /// - Returns: the faces, hands or bodies.
  /// - Throws: what the models throw.
  func found(
    in input: VisionInput, _ mode: RunningMode, at milliseconds: Int
  ) throws(VisionError) -> [Found] {
    switch mode {
    case .image: try detect(input.pixels, orientation: input.orientation)
    case .video, .liveStream:
      try track(
        input.pixels, orientation: input.orientation, at: Int64(milliseconds).nanoseconds)
    }
  }
}
