// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelHosting
import Testing

/// What a fault of the host leads to.
struct FaultRow: Sendable, CustomTestStringConvertible {
  /// The name of the fault in `fault_host.py`.
  let fault: String
  /// Why there is no model; nil where there is one.
  let reason: HostingError.Reason?
  /// The same in Firebase's cases; nil where the description is not Firebase's.
  var error: DownloadError?
  /// How many requests for the file there are; nil where that is a matter of timing.
  var fileRequests: Int?

  var testDescription: String { fault }

  /// A fault that the client gets over.
  static func survives(_ fault: String, fileRequests: Int? = 1) -> FaultRow {
    FaultRow(fault: fault, reason: nil, fileRequests: fileRequests)
  }

  /// A fault of the question for the latest version; the file is never asked for.
  static func information(
    _ fault: String, _ reason: HostingError.Reason, _ error: DownloadError? = nil
  ) -> FaultRow {
    FaultRow(fault: fault, reason: reason, error: error, fileRequests: 0)
  }

  /// A fault of the file.
  static func file(
    _ fault: String, _ reason: HostingError.Reason, _ error: DownloadError? = nil,
    fileRequests: Int? = 1
  ) -> FaultRow {
    FaultRow(fault: fault, reason: reason, error: error, fileRequests: fileRequests)
  }
}

/// One fault after the other: their deadlines are short, and many at once would miss them.
@Suite(
  "a host's faults", .serialized, .enabled(if: FaultHost.shared != nil, "python3 is needed"))
struct FaultTests {
  static let information: [FaultRow] = [
    .survives("info-reset-once"), .survives("info-429-once"), .survives("info-503-once"),
    .survives("info-redirect"), .survives("not-modified"),
    .information("info-reset", .interrupted),
    .information("info-stalled", .timedOut), .information("info-slow-loris", .timedOut),
    .information("info-truncated", .interrupted),
    .information("info-html", .malformedAnswer),
    .information("info-204", .status(204)),
    .information(
      "info-304-always", .unexpectedHash,
      .internalError(description: "Unexpected model hash value.")),
    .information("info-429-long", .status(429), .resourceExhausted),
    .information("info-429-huge", .status(429), .resourceExhausted),
    .information("info-redirect-loop", .refusedAddress),
    .information("info-redirect-file", .refusedAddress),
    .information("info-redirect-out", .refusedAddress),
    .information("info-redirect-nowhere", .refusedAddress),
    .information("info-400", .status(400), .invalidArgument),
    .information("info-401", .status(401), .permissionDenied),
    .information("info-403", .status(403), .permissionDenied),
    .information("info-404", .status(404), .notFound),
    .information("info-410", .status(410), .internalError(description: "no")),
    .information("info-418", .status(418), .internalError(description: "no")),
    .information("info-429", .status(429), .resourceExhausted),
    .information("info-500", .status(500), .internalError(description: "no")),
    .information("info-502", .status(502)), .information("info-503", .status(503)),
  ]

  static let documents: [FaultRow] = [
    .survives("etag-unquoted"), .survives("etag-traversal"), .survives("json-unknown-members"),
    .survives("uri-relative"), .survives("date-no-fraction"), .survives("date-nanoseconds"),
    .survives("sha-from-etag"), .survives("sha-none"),
    .information(
      "etag-missing", .missingHash,
      .internalError(description: "Model hash missing in model info server response.")),
    .information("etag-64k", .malformedAnswer), .information("etag-control", .malformedAnswer),
    .information("json-truncated", .malformedAnswer), .information("json-deep", .malformedAnswer),
    .information("json-deep-member", .malformedAnswer),
    .information("json-64mb", .malformedAnswer), .information("json-empty", .malformedAnswer),
    .information("json-array", .malformedAnswer), .information("json-null", .malformedAnswer),
    .information("json-types", .malformedAnswer),
    .information("json-size-number", .malformedAnswer),
    .information("json-no-uri", .malformedAnswer), .information("uri-empty", .malformedAnswer),
    .information("uri-bad", .malformedAnswer), .information("uri-file", .malformedAnswer),
    .information("uri-ftp", .malformedAnswer),
    .information("uri-other-host", .malformedAnswer),
    .information("uri-plain-http", .refusedAddress),
    .information("size-negative", .malformedAnswer), .information("size-zero", .malformedAnswer),
    .information("size-huge", .malformedAnswer), .information("size-limit", .malformedAnswer),
    .information("size-word", .malformedAnswer), .information("date-bad", .malformedAnswer),
    .information("sha-malformed", .malformedAnswer),
    .file("size-smaller", .damagedFile), .file("size-larger", .damagedFile),
    .file("sha-wrong", .damagedFile), .file("sha-none-html", .damagedFile),
  ]

  static let files: [FaultRow] = [
    .survives("file-reset-once", fileRequests: 2),
    .survives("file-truncated-once", fileRequests: 2),
    .survives("file-no-range", fileRequests: 2), .survives("file-changed", fileRequests: 2),
    .survives("file-range-lies", fileRequests: 3), .survives("file-416", fileRequests: 3),
    .survives("file-gzip"), .survives("length-none"), .survives("chunked"),
    .survives("file-429-once", fileRequests: 2), .survives("file-503-once", fileRequests: 2),
    .survives("file-redirect", fileRequests: 2), .survives("slow"),
    .survives("expired", fileRequests: 2), .survives("expired-fraction", fileRequests: 2),
    .file(
      "expired-twice", .expired,
      .internalError(description: "Unable to update expired model info."), fileRequests: 2),
    .survives("file-reset-each", fileRequests: nil),
    .file("file-reset", .interrupted, .failedPrecondition, fileRequests: 3),
    .file("file-truncated", .interrupted, .failedPrecondition, fileRequests: nil),
    .file("file-stalled", .timedOut, .failedPrecondition, fileRequests: nil),
    .file("file-slow-loris", .timedOut, .failedPrecondition),
    .file("file-wrong", .damagedFile), .file("file-no-model", .damagedFile),
    .file("file-html", .damagedFile), .file("file-206", .malformedAnswer),
    .file("file-204", .malformedAnswer), .file("file-304", .status(304)),
    .file("file-endless", .damagedFile), .file("file-gzip-bomb", .damagedFile),
    .file("file-gzip-lie", .interrupted, .failedPrecondition, fileRequests: 3),
    .file("length-larger", .damagedFile), .file("length-smaller", .damagedFile),
    .file("length-negative", .interrupted, fileRequests: nil),
    .file("chunk-bad-size", .interrupted, fileRequests: nil),
    .file("chunk-truncated", .interrupted, fileRequests: nil),
    .file("chunk-unfinished", .interrupted, fileRequests: nil),
    .file("garbage", .malformedAnswer, fileRequests: nil),
    .file("file-redirect-loop", .refusedAddress, fileRequests: 6),
    .file("file-redirect-file", .refusedAddress), .file("file-redirect-out", .refusedAddress),
    .file("file-redirect-no-location", .interrupted, .failedPrecondition, fileRequests: 3),
    .file("file-400", .status(400), .invalidArgument),
    .file("file-401", .status(401), .permissionDenied),
    .file("file-403", .status(403), .permissionDenied),
    .file("file-404", .status(404), .notFound),
    .file(
      "file-410", .status(410),
      .internalError(description: "Model download failed with HTTP error code: 410")),
    .file(
      "file-429", .status(429),
      .internalError(description: "Model download failed with HTTP error code: 429"),
      fileRequests: 3),
    .file(
      "file-500", .status(500),
      .internalError(description: "Model download failed with HTTP error code: 500"),
      fileRequests: 3),
    .file("file-503", .status(503), fileRequests: 3),
  ]

  /// Answers that are hardly HTTP; trailers after a chunked one are left out, since
  /// FoundationNetworking of Swift 6.3 stops the program at them.
  static let answers: [FaultRow] =
    [
      .survives("status-100"), .survives("status-103"), .survives("header-folded"),
      .file("status-101", .status(101)), .file("status-999", .status(999)),
      .file("status-000", .malformedAnswer), .file("status-word", .malformedAnswer),
      .file("status-missing", .malformedAnswer),
      .file("auth-basic", .status(401), .permissionDenied),
      .file("auth-digest", .status(401), .permissionDenied),
      .file("auth-odd", .status(401), .permissionDenied), .file("auth-proxy", .status(407)),
      .file("header-no-colon", .interrupted, fileRequests: 3),
      .file("header-bytes", .interrupted, fileRequests: 3),
      .file("header-huge", .interrupted, fileRequests: 3),
      .file("header-many", .interrupted, fileRequests: 3),
    ]

  @Test(arguments: answers)
  func `of HTTP itself`(row: FaultRow) async throws { try await check(row) }

  @Test(arguments: 0..<30)
  func `of redirects that lead nowhere`(number: Int) async throws {
    let run = try HostRun()
    let older = try await run.fetcher("older").fetch(name: "m")
    await #expect(throws: HostingError.self) {
      try await run.fetcher("location-\(number)", options: .impatient).fetch(name: "m")
    }
    #expect(try run.store.model("m") == older)
  }

  @Test(arguments: information)
  func `of the question for the latest version`(row: FaultRow) async throws { try await check(row) }

  @Test(arguments: documents)
  func `of the document that describes it`(row: FaultRow) async throws { try await check(row) }

  @Test(arguments: files)
  func `of the file`(row: FaultRow) async throws { try await check(row) }

  /// Fetches with an older model on disk, which must stay until the new one takes its place.
  private func check(_ row: FaultRow) async throws {
    let run = try HostRun()
    let older = try await run.fetcher("older").fetch(name: "m")
    let before = try run.fileRequests().count
    do throws(HostingError) {
      let model = try await run.fetcher(row.fault, options: .impatient).fetch(name: "m")
      #expect(row.reason == nil)
      #expect(model.path == older.path && model.hash != older.hash && model.size == 300_008)
      #expect(run.store.sha256(of: "m") == run.host.sha256)
    } catch {
      #expect(error.reason == row.reason, "\(error)")
      if let expected = row.error { #expect(error.downloadError == expected) }
      #expect(try run.store.model("m") == older)
    }
    if let count = row.fileRequests {
      #expect(try run.fileRequests().count - before == count)
    }
  }
}
