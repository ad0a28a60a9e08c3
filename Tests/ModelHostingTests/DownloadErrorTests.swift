// SPDX-License-Identifier: Apache-2.0

import ModelHosting
import Testing

/// Errors in Firebase's cases.
@Suite struct DownloadErrorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let reason: HostingError.Reason
    let stage: HostingError.Stage
    let expected: DownloadError
    var testDescription: String { "\(stage) \(reason)" }
  }

  static let rows: [Row] = [
    Row(reason: .emptyModelName, stage: .store, expected: .emptyModelName),
    Row(reason: .invalidModelName, stage: .store, expected: .invalidArgument),
    Row(reason: .notEnoughSpace, stage: .store, expected: .notEnoughSpace),
    Row(reason: .status(400), stage: .information, expected: .invalidArgument),
    Row(reason: .status(401), stage: .information, expected: .permissionDenied),
    Row(reason: .status(403), stage: .file, expected: .permissionDenied),
    Row(reason: .status(404), stage: .file, expected: .notFound),
    Row(reason: .status(429), stage: .information, expected: .resourceExhausted),
    Row(
      reason: .status(429), stage: .file,
      expected: .internalError(description: "Model download failed with HTTP error code: 429")),
    Row(reason: .status(500), stage: .information, expected: .internalError(description: "why")),
    Row(reason: .unreachable, stage: .file, expected: .failedPrecondition),
    Row(reason: .timedOut, stage: .file, expected: .failedPrecondition),
    Row(
      reason: .unreachable, stage: .information,
      expected: .internalError(description: "Failed to retrieve model info: why")),
    Row(
      reason: .malformedAnswer, stage: .information,
      expected: .internalError(description: "Failed to parse model info: why")),
    Row(
      reason: .missingHash, stage: .information,
      expected: .internalError(
        description: "Model hash missing in model info server response.")),
    Row(
      reason: .unexpectedHash, stage: .information,
      expected: .internalError(description: "Unexpected model hash value.")),
    Row(
      reason: .missingCopy, stage: .information,
      expected: .internalError(description: "Model info was deleted unexpectedly.")),
    Row(
      reason: .expired, stage: .file,
      expected: .internalError(description: "Unable to update expired model info.")),
    Row(reason: .damagedFile, stage: .file, expected: .internalError(description: "why")),
  ]

  @Test(arguments: rows)
  func `have the cases and descriptions of Firebase's downloader`(row: Row) {
    #expect(HostingError(row.reason, row.stage, "why").downloadError == row.expected)
  }
}
