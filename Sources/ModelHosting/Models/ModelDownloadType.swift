// SPDX-License-Identifier: Apache-2.0

/// Which version of a model is wanted, and what may be done to get it.
public enum ModelDownloadType: Hashable, Sendable {
  /// The model on disk; it is downloaded only where there is none.
  case localModel

  /// The model on disk at once, while a newer version is looked for in the background.
  ///
  /// The next call gets what was found. Without a model on disk this is ``latestModel``.
  case localModelUpdateInBackground

  /// The host's latest version, downloaded if it is not the one on disk.
  case latestModel
}
