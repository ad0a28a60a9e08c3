// SPDX-License-Identifier: Apache-2.0

internal import TemporaryFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder of the store, and what is done with the names in it.
package struct StoreFolder: Hashable, Sendable {
  /// The environment variable that names the folder of downloaded models.
  package static let environmentVariable = "MARTLET_MODEL_CACHE"

  /// The folder's path.
  package let path: String

  /// The folder at `path`, whether it is there or not.
  package init(path: String) { self.path = path }

  /// The path of `name` in the folder.
  package func path(of name: String) -> String { path + "/" + name }

  /// Makes the folder and those above it.
  package func create() throws(HostingError) {
    var current = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      current += "/" + part
      guard unsafe mkdir(current, 0o755) != 0 else { continue }
      guard errno != EEXIST else { continue }
      // A folder above may be one that only its owner may write to, and be there.
      let code = errno
      var status = stat()
      guard unsafe stat(current, &status) == 0 else {
        throw StoreFile.failure("make folder", current, code)
      }
    }
  }

  /// The names in the folder; none where it is not there.
  package func names() throws(HostingError) -> [String] {
    guard let stream = unsafe opendir(path) else {
      if errno == ENOENT { return [] }
      throw StoreFile.failure("read", path)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Gives a file a name in this folder; what had the name is replaced.
  package func move(_ old: String, to name: String) throws(HostingError) {
    guard unsafe rename(old, path(of: name)) == 0 else {
      throw StoreFile.failure("write", path(of: name))
    }
  }

  /// Removes a name; false where it is not there.
  @discardableResult
  package func remove(_ name: String) throws(HostingError) -> Bool {
    if unsafe unlink(path(of: name)) == 0 { return true }
    guard errno == ENOENT else { throw StoreFile.failure("remove", path(of: name)) }
    return false
  }

  /// Brings the folder's names onto the disk.
  package func synchronize() throws(HostingError) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreFile.failure("open", path) }
    defer { close(descriptor) }
    // Some file systems cannot do that with folders, and say so.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw StoreFile.failure("write", path)
    }
  }

  /// The bytes that may still be written there; nil where the system does not say.
  package var freeSpace: Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return overflow ? nil : Int(clamping: bytes)
  }

  /// Writes a whole file under `name`: into a temporary one, which then takes the name.
  ///
  /// - Parameters:
  ///   - bytes: the content.
  ///   - name: the name, which something else may have had.
  ///   - isDurable: whether file and name must outlast a loss of power.
  /// - Throws: `HostingError`; what had the name has it still.
  package func write(
    _ bytes: [UInt8], to name: String, isDurable: Bool = true
  ) throws(HostingError) {
    let temporary = temporaryName(for: name)
    do throws(HostingError) {
      let file = try TemporaryNames.add(path(of: temporary)) { () throws(HostingError) in
        try StoreFile(path(of: temporary), for: .appending)
      }
      try file.truncate(to: 0)
      try file.write(bytes.span, at: 0)
      if isDurable { try file.synchronize() }
      try move(path(of: temporary), to: name)
      TemporaryNames.forget(path(of: temporary))
      if isDurable { try synchronize() }
    } catch {
      TemporaryNames.remove(path(of: temporary))
      throw error
    }
  }

  /// Makes `name` a symbolic link to `target`, in one step.
  package func pointLink(_ name: String, at target: String) throws(HostingError) {
    let temporary = temporaryName(for: name)
    try remove(temporary)
    do throws(HostingError) {
      try TemporaryNames.add(path(of: temporary)) { () throws(HostingError) in
        guard unsafe symlink(target, path(of: temporary)) == 0 else {
          throw StoreFile.failure("write", path(of: temporary))
        }
      }
      try move(path(of: temporary), to: name)
      TemporaryNames.forget(path(of: temporary))
    } catch {
      TemporaryNames.remove(path(of: temporary))
      throw error
    }
    try synchronize()
  }

  /// Gives the file at `source` a further name: a hard link, else a copy.
  ///
  /// The name is taken in one step, from whatever had it. It is on the disk when
  /// the folder is synchronized next.
  package func link(_ source: StoreFile, as name: String) throws(HostingError) {
    let temporary = temporaryName(for: name)
    try remove(temporary)
    // Where both are the same file already, `rename` leaves the temporary name behind.
    defer { TemporaryNames.remove(path(of: temporary)) }
    let isLinked = TemporaryNames.add(path(of: temporary)) {
      unsafe Self.systemLink(source.path, path(of: temporary)) == 0
    }
    if !isLinked { try copy(source, to: temporary) }
    try move(path(of: temporary), to: name)
  }

  @unsafe
  private static func systemLink(_ old: String, _ new: String) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.link(old, new)
    #elseif canImport(Musl)
      unsafe Musl.link(old, new)
    #else
      unsafe Darwin.link(old, new)
    #endif
  }

  private func copy(_ source: StoreFile, to name: String) throws(HostingError) {
    let copy = try StoreFile(path(of: name), for: .appending)
    var offset = 0
    while true {
      let piece = try source.bytes(at: offset, count: 1 << 20)
      guard !piece.isEmpty else { break }
      try copy.write(piece.span, at: offset)
      offset += piece.count
    }
    try copy.synchronize()
    try copy.protect()
  }

  /// A name beside `name` that no other process uses.
  private func temporaryName(for name: String) -> String { "\(name).\(getpid()).tmp" }
}
