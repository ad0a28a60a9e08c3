// SPDX-License-Identifier: Apache-2.0

internal import Compression
internal import ResourceLimits
internal import Synchronization

/// The files of a zip archive, found by paths that go on behind the archive's own: in
/// `Tests/Goldens/ADD.zip/f32_relu/in_0.npy`, `ADD.zip` is a file and the rest lies in it.
package struct ArchivedFiles: Sendable {
  /// What the archive's name must end with.
  package static let suffix = ".zip"

  private let bytes: [UInt8]
  private let archive: ZipArchive
  private let entries: [String: ZipArchive.Entry]
  /// The names in each folder; the archive itself is the empty path.
  private let folders: [String: [String]]

  /// The archive at `path`.
  ///
  /// - Throws: `FileSystemError` where it cannot be read, is no zip archive, or holds a name twice
  ///   or one that leads out of it.
  private init(at path: String) throws(FileSystemError) {
    func refusal(_ reason: String) -> FileSystemError {
      FileSystemError(.read, path: path, reason: reason)
    }
    let bytes = try InputFile.bytes(ofRegularFile: path)
    let archive: ZipArchive
    do throws(ZipError) {
      archive = try ZipArchive(
        bytes.span, limits: Limits(archiveEntryCount: 0xffff, archiveEntryByteCount: 1 << 31))
    } catch {
      throw refusal("\(error)")
    }
    var entries: [String: ZipArchive.Entry] = [:]
    var folders: [String: Set<String>] = ["": []]
    for entry in archive.entries where !entry.name.hasSuffix("/") {
      guard entry.isSafePath else { throw refusal("unsafe name \(entry.name.debugDescription)") }
      guard entries.updateValue(entry, forKey: entry.name) == nil else {
        throw refusal("two entries are called \(entry.name.debugDescription)")
      }
      var below = entry.name
      while !below.isEmpty {
        let parent = Folder.parent(of: below) ?? ""
        guard folders[parent, default: []].insert(Folder.lastName(of: below)).inserted else {
          break
        }
        below = parent
      }
    }
    self.bytes = bytes
    self.archive = archive
    self.entries = entries
    self.folders = folders.mapValues { $0.sorted() }
  }

  /// What `path` leads to in the archive; nil where nothing is there.
  func kind(of path: String) -> Folder.Kind? {
    entries[path] != nil ? .file : folders[path] != nil ? .folder : nil
  }

  /// The names in the folder at `path`, sorted; nil where there is no such folder.
  func names(in path: String) -> [String]? { folders[path] }

  /// The content of the file at `path`, at most `limit` bytes; nil where there is no such file.
  func content(of path: String, limit: Int) throws(ZipError) -> [UInt8]? {
    guard let entry = entries[path] else { return nil }
    return try archive.contents(of: entry, in: bytes.span, limit: limit)
  }
}

extension ArchivedFiles {
  /// The archive that `path` leads into, and the path from there; nil where no part of `path` is a
  /// file whose name ends with `.zip`.
  ///
  /// The archive that was opened last is kept.
  ///
  /// - Throws: `FileSystemError` where the archive cannot be read.
  static func located(
    _ path: String
  ) throws(FileSystemError) -> (archive: ArchivedFiles, path: String)? {
    let ends = path.indices.filter { path[$0] == "/" } + [path.endIndex]
    for end in ends where path[..<end].hasSuffix(suffix) {
      let file = String(path[..<end])
      guard let stamp = Folder.stamp(ofFile: file) else { continue }
      let rest = path[end...].split(separator: "/").joined(separator: "/")
      return (try opened(file, stamp), rest)
    }
    return nil
  }

  private static let latest = Mutex<(stamp: Folder.Stamp, archive: ArchivedFiles)?>(nil)

  private static func opened(
    _ file: String, _ stamp: Folder.Stamp
  ) throws(FileSystemError) -> ArchivedFiles {
    if let archive = latest.withLock({ $0?.stamp == stamp ? $0?.archive : nil }) { return archive }
    let archive = try ArchivedFiles(at: file)
    latest.withLock { $0 = (stamp, archive) }
    return archive
  }
}
