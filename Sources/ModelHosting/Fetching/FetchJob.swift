// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What has to be done to have a model's latest version on disk.
struct FetchJob {
  let file: ModelFileName
  let host: any ModelHost
  let store: ModelStore
  let options: ModelFetcher.Options
  let client: HostClient
  let report: @Sendable (Float) -> Void

  func run() async throws(HostingError) -> CustomModel {
    try store.prepare()
    let lock = try await StoreLock.acquire(
      file.stem + ".lock", in: store.locks, until: client.deadline)
    defer { lock.release() }
    do throws(HostingError) { return try await update() } catch {
      guard error.reason == .expired else { throw error }
    }
    // The address had expired: the host is asked for another one, once.
    return try await update()
  }

  private func update() async throws(HostingError) -> CustomModel {
    // A damaged copy counts as none, and is replaced.
    let copy = store.copy(file, verifying: true)
    let known = copy.map { KnownCopy(hash: $0.hash, sha256: $0.sha256, size: $0.size) }
    switch try await host.offer(file.name, known: known, client: client) {
    case .notModified:
      guard copy != nil else {
        throw HostingError(
          .missingCopy, .information, "the host says not modified, but there is no copy")
      }
      guard let model = try store.model(file.name, verifying: false) else {
        throw HostingError(
          .storage, .store,
          "Model unavailable due to deleted local model info or model file.")
      }
      return model
    case .version(let version):
      try check(version)
      return try await install(version)
    }
  }

  private func install(_ version: ModelVersion) async throws(HostingError) -> CustomModel {
    let download = FileDownload(
      version: version, store: store, client: client, maximumSize: options.maximumModelSize,
      report: report)
    do throws(HostingError) {
      let (blob, sha256) = try await download.run()
      let record = ModelRecord(
        name: file.name, hash: version.hash, size: try blob.status().size, sha256: sha256,
        source: AddressPolicy.shown(version.url))
      let model = try store.install(blob, as: file, record)
      report(1)
      return model
    } catch {
      guard Self.isExpiry(error, of: version) else { throw error }
      throw HostingError(
        .expired, .file, "the file's address expired, and so did the one that replaced it")
    }
  }

  /// Whether the host refuses an address because its time is over.
  ///
  /// Google's storage answers 400, presigned addresses 403, nginx's `secure_link` 403 or 410.
  private static func isExpiry(_ error: HostingError, of version: ModelVersion) -> Bool {
    guard error.stage == .file, case .status(let status) = error.reason,
      [400, 401, 403, 410].contains(status), let expiry = version.expiry
    else { return false }
    return expiry < Date.now
  }

  /// Refuses what a host must not offer, whichever host it is.
  private func check(_ version: ModelVersion) throws(HostingError) {
    guard Digest.isHash(version.hash) else {
      throw HostingError(
        .malformedAnswer, .information,
        "a hash of \(version.hash.utf8.count) bytes, or not of plain characters")
    }
    if let sha256 = version.sha256, !Digest.isSHA256(sha256) {
      throw HostingError(
        .malformedAnswer, .information, "a SHA-256 that is not 64 hexadecimal digits")
    }
    if let size = version.size, !(1...options.maximumModelSize).contains(size) {
      throw HostingError(
        .malformedAnswer, .information,
        "a size of \(size) bytes, where 1 to \(options.maximumModelSize) are allowed")
    }
  }
}
