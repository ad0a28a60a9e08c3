// SPDX-License-Identifier: Apache-2.0

/// What a vision task is given: images, the frames of a video, or those of a camera.
public enum RunningMode: UInt, Sendable {
  /// Images that have nothing to do with one another.
  case image
  /// Frames of a video with their times; each call waits for its result.
  case video
  /// Frames of a camera with their times; a delegate gets the results.
  case liveStream

  /// The name that errors have for the mode.
  var displayName: String {
    switch self {
    case .image: "Image"
    case .video: "Video"
    case .liveStream: "Live Stream"
    }
  }
}
