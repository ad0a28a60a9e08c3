// SPDX-License-Identifier: Apache-2.0

extension ModelStore {
  /// The record of a model whose file is there and is what the record says.
  ///
  /// The file takes its name before the record does. Where a record changed while the file was
  /// looked at, another process has just put a new version there, and both are read again. A process
  /// that was stopped in between has left the next record.
  func copy(_ file: ModelFileName, verifying: Bool) -> ModelRecord? {
    var record = record(file)
    for _ in 0..<3 {
      guard let current = record else { break }
      if isIntact(file, current, verifying: verifying) { return current }
      record = self.record(file)
      guard record != current else { break }
    }
    guard let next = readRecord(file.nextRecord, of: file), isIntact(file, next, verifying: true)
    else { return nil }
    return next
  }

  /// The SHA-256 of a model's file; nil where there is none, or another than its record says.
  package func sha256(of name: String) -> String? {
    do throws(HostingError) {
      return copy(try ModelFileName(name, app: app), verifying: true)?.sha256
    } catch {
      return nil
    }
  }

  func record(_ file: ModelFileName) -> ModelRecord? { readRecord(file.record, of: file) }

  private func readRecord(_ name: String, of file: ModelFileName) -> ModelRecord? {
    do throws(HostingError) {
      let handle = try StoreFile(folder.path(of: name), for: .reading)
      let bytes = try handle.bytes(count: ModelRecord.lengthLimit + 1)
      guard bytes.count <= ModelRecord.lengthLimit else { return nil }
      return ModelRecord(bytes, of: file.name)
    } catch {
      return nil
    }
  }

  private func isIntact(
    _ file: ModelFileName, _ record: ModelRecord, verifying: Bool
  ) -> Bool {
    do throws(HostingError) {
      let handle = try StoreFile(folder.path(of: file.model), for: .reading)
      guard try handle.status().size == record.size else { return false }
      guard verifying else { return true }
      return try handle.sha256() == record.sha256
    } catch {
      return false
    }
  }

  /// The blob with these bytes, checked; a damaged one is removed.
  func blob(_ sha256: String) throws(HostingError) -> StoreFile? {
    guard StoreFile.status(of: blobs.path(of: sha256)) != nil else { return nil }
    do throws(HostingError) {
      let handle = try StoreFile(blobs.path(of: sha256), for: .reading)
      if try handle.sha256() == sha256 { return handle }
    } catch {
      // What cannot be opened or read is no blob.
    }
    try blobs.remove(sha256)
    return nil
  }

  /// Makes the folders.
  func prepare() throws(HostingError) {
    for folder in [folder, blobs, partials, locks] { try folder.create() }
  }

  /// Gives a blob the model's name, then the record its own: whoever is stopped in between leaves
  /// both records, of which one is the file's.
  func install(
    _ blob: StoreFile, as file: ModelFileName, _ record: ModelRecord
  ) throws(HostingError) -> CustomModel {
    let older = self.record(file)
    try folder.write(record.encoded(), to: file.nextRecord)
    try folder.link(blob, as: file.model)
    try folder.move(folder.path(of: file.nextRecord), to: file.record)
    try folder.synchronize()
    if let older, older.sha256 != record.sha256 { removeUnusedBlob(older.sha256) }
    return CustomModel(
      name: record.name, size: record.size, path: folder.path(of: file.model), hash: record.hash)
  }

  /// Removes a blob that is no model's file any more; models keep theirs, as names of their own.
  func removeUnusedBlob(_ sha256: String) {
    guard let status = StoreFile.status(of: blobs.path(of: sha256)), status.linkCount == 1
    else { return }
    _ = try? blobs.remove(sha256)
  }
}
