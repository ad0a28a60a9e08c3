// SPDX-License-Identifier: Apache-2.0

extension HostingError {
  /// The same error in the cases of Firebase's downloader, with its descriptions.
  public var downloadError: DownloadError {
    switch reason {
    case .emptyModelName: .emptyModelName
    case .invalidModelName: .invalidArgument
    case .notEnoughSpace: .notEnoughSpace
    case .status(let code): stage == .file ? fileError(code) : informationError(code)
    case .unreachable, .interrupted, .timedOut, .refusedAddress, .cancelled:
      stage == .file
        ? .failedPrecondition
        : .internalError(description: "Failed to retrieve model info: \(message)")
    case .malformedAnswer:
      stage == .file
        ? .internalError(description: message)
        : .internalError(description: "Failed to parse model info: \(message)")
    case .missingHash:
      .internalError(description: "Model hash missing in model info server response.")
    case .unexpectedHash: .internalError(description: "Unexpected model hash value.")
    case .missingCopy: .internalError(description: "Model info was deleted unexpectedly.")
    case .expired: .internalError(description: "Unable to update expired model info.")
    case .networkingUnavailable, .token, .damagedFile, .storage:
      .internalError(description: message)
    }
  }

  private func informationError(_ status: Int) -> DownloadError {
    switch status {
    case 400: .invalidArgument
    case 401, 403: .permissionDenied
    case 404: .notFound
    case 429: .resourceExhausted
    case _: .internalError(description: message)
    }
  }

  private func fileError(_ status: Int) -> DownloadError {
    switch status {
    case 400: .invalidArgument
    case 401, 403: .permissionDenied
    case 404: .notFound
    case _:
      .internalError(description: "Model download failed with HTTP error code: \(status)")
    }
  }
}
