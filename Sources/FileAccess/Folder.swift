// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Folders: what is in them, and making them.
package enum Folder {
  /// What a path leads to.
  package enum Kind: Sendable {
    /// A regular file.
    case file
    /// A folder.
    case folder
    /// A device, pipe or socket.
    case other
  }

  /// What `path` leads to, symbolic links followed, or in a zip archive; nil where nothing is
  /// there.
  package static func kind(of path: String) -> Kind? {
    var status = stat()
    guard !path.utf8.contains(0) else { return nil }
    if unsafe stat(path, &status) == 0 { return kind(status.st_mode) }
    guard errno == ENOTDIR else { return nil }
    return (try? ArchivedFiles.located(path)).flatMap { $0.archive.kind(of: $0.path) }
  }

  /// What tells one state of a file from another.
  struct Stamp: Sendable, Equatable {
    fileprivate let device: UInt64
    fileprivate let number: UInt64
    fileprivate let byteCount: Int
    fileprivate let seconds: Int
    fileprivate let nanoseconds: Int
  }

  /// The state of the regular file at `path`; nil where there is none.
  static func stamp(ofFile path: String) -> Stamp? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, kind(status.st_mode) == .file else { return nil }
    #if canImport(Darwin)
      let changed = status.st_mtimespec
    #else
      let changed = status.st_mtim
    #endif
    return Stamp(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      number: UInt64(truncatingIfNeeded: status.st_ino), byteCount: Int(status.st_size),
      seconds: Int(changed.tv_sec), nanoseconds: Int(changed.tv_nsec))
  }

  /// The path without symbolic links; nil where nothing is there.
  package static func resolved(_ path: String) -> String? {
    guard !path.utf8.contains(0), let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  private static func kind(_ mode: mode_t) -> Kind {
    switch mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case _: .other
    }
  }

  /// The names in the folder or zip archive at `path`, sorted, without `.` and `..`.
  package static func names(in path: String) throws(FileSystemError) -> [String] {
    guard let stream = unsafe opendir(path) else {
      let code = errno
      if code == ENOTDIR, let (archive, inner) = try ArchivedFiles.located(path) {
        if let names = archive.names(in: inner) { return names }
      }
      throw FileSystemError(.read, path: path, code: code)
    }
    defer { unsafe _ = closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
          unsafe String(cString: characters)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Makes the folder at `path` and those above it that are missing.
  package static func create(at path: String) throws(FileSystemError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw FileSystemError(.create, path: path, code: ENOENT)
    }
    switch kind(of: path) {
    case .folder: return
    case .file, .other: throw FileSystemError(.create, path: path, code: ENOTDIR)
    case nil: break
    }
    if let parent = parent(of: path), kind(of: parent) == nil { try create(at: parent) }
    if unsafe mkdir(path, 0o777) != 0, errno != EEXIST {
      throw FileSystemError(.create, path: path, code: errno)
    }
  }

  /// The last part of a path: the name of a file in its folder.
  package static func lastName(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The folder that holds the entry at `path`; nil where the path names no folder.
  package static func parent(of path: String) -> String? {
    var rest = Substring(path)
    while rest.count > 1, rest.hasSuffix("/") { rest.removeLast() }
    guard let slash = rest.lastIndex(of: "/") else { return nil }
    let parent = rest[..<slash]
    if parent.isEmpty { return rest == "/" ? nil : "/" }
    return String(parent)
  }
}
