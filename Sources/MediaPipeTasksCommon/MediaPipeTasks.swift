// SPDX-License-Identifier: Apache-2.0

/// The package as a whole.
public enum MediaPipeTasks {
  /// The release of MediaPipe whose names these modules have.
  public static let version = "1.0.1"
}
