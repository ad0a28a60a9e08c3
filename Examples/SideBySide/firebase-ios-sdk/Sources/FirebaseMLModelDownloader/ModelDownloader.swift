// SPDX-License-Identifier: Apache-2.0

/// Stands in for the class that downloads models.
public final class ModelDownloader: Sendable {
  private init() {}

  /// The downloader.
  public static func modelDownloader() -> ModelDownloader { ModelDownloader() }
}
