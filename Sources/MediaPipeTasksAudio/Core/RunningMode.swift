// SPDX-License-Identifier: Apache-2.0

/// What an audio task is given: clips, or the blocks of a stream.
public enum RunningMode: UInt, Sendable {
  /// Clips that have nothing to do with one another.
  case audioClips
  /// Blocks of a stream with their times; a delegate gets the results.
  case audioStream

  /// The name that errors have for the mode.
  var displayName: String {
    switch self {
    case .audioClips: "Audio Clips"
    case .audioStream: "Audio Stream"
    }
  }
}
