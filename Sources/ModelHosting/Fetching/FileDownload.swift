// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The download of one file into the store: resumed, repeated, checked.
struct FileDownload {
  let version: ModelVersion
  let store: ModelStore
  let client: HostClient
  let maximumSize: Int
  /// Takes how much of the file is there, from 0 to 1.
  let report: @Sendable (Float) -> Void

  /// The blob with the file's bytes, and their SHA-256.
  func run() async throws(HostingError) -> (blob: StoreFile, sha256: String) {
    let key = PartialFile.key(for: version)
    let lock = try await StoreLock.acquire(
      key + ".lock", in: store.locks, until: client.deadline)
    defer { lock.release() }
    // Another model, or another process, may have fetched the same bytes.
    if let sha256 = version.sha256, let blob = try store.blob(sha256) { return (blob, sha256) }
    store.removeLeftovers()
    let partial = try PartialFile(key, in: store.partials)
    let isResumed = try partial.size > 0
    do throws(HostingError) {
      return try await complete(partial)
    } catch {
      guard error.reason == .damagedFile else { throw error }
      try partial.discard()
      // Bytes of an earlier attempt may be the ones that were wrong.
      guard isResumed else { throw error }
    }
    let fresh = try PartialFile(key, in: store.partials)
    do throws(HostingError) {
      return try await complete(fresh)
    } catch {
      if error.reason == .damagedFile { try fresh.discard() }
      throw error
    }
  }

  private func complete(
    _ partial: PartialFile
  ) async throws(HostingError) -> (blob: StoreFile, sha256: String) {
    try await receive(partial)
    let sha256 = try check(partial.handle)
    let blob = try partial.become(sha256, in: store.blobs)
    return (blob, sha256)
  }

  /// Requests the file, or what is missing of it, until it is all there.
  private func receive(_ partial: PartialFile) async throws(HostingError) {
    var attempt = 0
    var furthest = try partial.size
    while true {
      let progress = try await request(partial)
      // Attempts count as long as they bring nothing new.
      attempt = progress.size > furthest ? 1 : attempt + 1
      furthest = max(furthest, progress.size)
      guard let error = progress.error else { return }
      if progress.mustRestart { try partial.restart(validator: nil) }
      guard error.isTemporary,
        let pause = client.retries.pause(
          after: attempt, retryAfter: progress.head.flatMap { RetryPolicy.retryAfter($0) })
      else { throw error }
      try await client.rest(pause, .file, after: error)
    }
  }

  /// Makes one request; what comes back says how far it got.
  private func request(
    _ partial: PartialFile
  ) async throws(HostingError) -> FileReceiver.Progress {
    var size = try partial.size
    let validator = partial.validator
    // Without a validator, only the SHA-256 could tell whether both parts belong together.
    let canResume = validator != nil || version.sha256 != nil
    if !canResume || version.size.map({ size > $0 }) ?? false {
      try partial.restart(validator: nil)
      size = 0
    }
    if let expected = version.size {
      if size == expected { return FileReceiver.Progress(size: size, expectedSize: expected) }
      if let free = store.partials.freeSpace, free < expected - size {
        throw HostingError(
          .notEnoughSpace, .store, "the disk has \(free) bytes left, not \(expected - size)")
      }
    }
    let receiver = FileReceiver(
      partial, offset: size, expectedSize: version.size, maximumSize: maximumSize
    ) { [report] size, expected in
      guard let expected, expected > 0 else { return }
      report(Float(size) / Float(expected))
    }
    var failure: HostingError?
    do throws(HostingError) {
      try await client.send(fileRequest(from: size, validator: validator), to: receiver)
    } catch {
      failure = error
    }
    var progress = receiver.progress
    if progress.error == nil { progress.error = failure ?? shortfall(progress) }
    return progress
  }

  private func fileRequest(from offset: Int, validator: String?) -> HTTPRequest {
    var request = client.request(version.url, version.headers)
    request.stage = .file
    if offset > 0 {
      request.headers["Range"] = "bytes=\(offset)-"
      request.headers["If-Range"] = validator
    }
    return request
  }

  /// The error for an answer that ended before the file did.
  private func shortfall(_ progress: FileReceiver.Progress) -> HostingError? {
    guard progress.head != nil else {
      return HostingError(.interrupted, .file, "the host gave no answer")
    }
    guard let expected = progress.expectedSize, progress.size < expected else { return nil }
    return HostingError(
      .interrupted, .file, "the file ended after \(progress.size) of \(expected) bytes")
  }

  /// Checks a file that is complete.
  ///
  /// - Returns: its SHA-256.
  private func check(_ file: StoreFile) throws(HostingError) -> String {
    let size = try file.status().size
    if let expected = version.size, size != expected {
      throw HostingError(
        .damagedFile, .file, "the file has \(size) bytes, not the announced \(expected)")
    }
    let start = try file.bytes(count: 8)
    guard Array(start.dropFirst(4)) == Array("TFL3".utf8) else {
      throw HostingError(.damagedFile, .file, "the file is no TensorFlow Lite model")
    }
    let sha256 = try file.sha256()
    if let expected = version.sha256, sha256 != expected {
      throw HostingError(
        .damagedFile, .file, "the file's SHA-256 is \(sha256), not the announced \(expected)")
    }
    return sha256
  }
}
