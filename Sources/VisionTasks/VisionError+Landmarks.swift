// SPDX-License-Identifier: Apache-2.0

import Landmarks

extension VisionError {
  /// What went wrong with rectangles, anchors or landmarks, as an error of the task.
  init(_ error: LandmarkError) {
    switch error {
    case .invalidOption(let text), .invalidRect(let text): self = .invalidOption(text)
    case .valueCount: self = .incompatibleModel(error.description)
    case .image(let error): self = .image(error)
    }
  }

  /// The result of what throws errors of rectangles, anchors or landmarks.
  package static func wrapping<Result>(
    _ body: () throws(LandmarkError) -> Result
  ) throws(VisionError) -> Result {
    do throws(LandmarkError) { return try body() } catch { throw VisionError(error) }
  }
}
