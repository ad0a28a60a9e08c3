// SPDX-License-Identifier: Apache-2.0

/// Why a model could not be downloaded, in the cases of Firebase's downloader.
///
/// ``HostingError/downloadError`` gives it; the ``HostingError`` itself says more.
public enum DownloadError: Error, Equatable, Sendable {
  /// The host has no model of this name.
  case notFound

  /// The host refuses access.
  case permissionDenied

  /// The circumstances do not allow the download: no network, or a broken connection.
  case failedPrecondition

  /// The host has had too many requests.
  case resourceExhausted

  /// The disk is full.
  case notEnoughSpace

  /// The host takes the request for wrong, or the model's name cannot be one.
  case invalidArgument

  /// The model's name is empty.
  case emptyModelName

  /// Something else failed, as the description says.
  case internalError(description: String)
}

/// Why downloaded models could not be listed or deleted.
public enum DownloadedModelError: Error, Equatable, Sendable {
  /// There is no such model on disk.
  case notFound

  /// A file or folder could not be read or removed.
  case fileIOError(description: String)

  /// Something else failed, as the description says.
  case internalError(description: String)
}
