// SPDX-License-Identifier: Apache-2.0

/// Under which circumstances a model may be downloaded.
///
/// Linux does not tell a program what a network costs, nor does it download for programs that
/// do not run: there both conditions are carried along and have no effect.
public struct ModelDownloadConditions: Hashable, Sendable {
  /// Whether a network that charges by volume may be used.
  public let allowsCellularAccess: Bool

  /// Whether the download may go on while the program is in the background.
  public let allowsBackgroundDownloading: Bool

  /// Conditions that by default allow any network.
  public init(allowsCellularAccess: Bool = true, allowsBackgroundDownloading: Bool = false) {
    self.allowsCellularAccess = allowsCellularAccess
    self.allowsBackgroundDownloading = allowsBackgroundDownloading
  }
}
