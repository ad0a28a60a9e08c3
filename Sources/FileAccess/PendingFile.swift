// SPDX-License-Identifier: Apache-2.0

internal import TemporaryFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that is written piece by piece and appears at its path when it is whole.
///
/// Until then it is a temporary file beside it, which goes away with this object, or when a signal
/// ends a command. An older file stays as it was. A symbolic link keeps pointing where it does, and
/// the file behind it is replaced. Devices and pipes are written directly.
package final class PendingFile {
  private let path: String
  /// The temporary file and the name that it takes; nil where nothing is renamed.
  private let names: (temporary: String, target: String)?
  /// The open file; negative once it is closed.
  private var descriptor: Int32

  /// A file that will appear at `path`.
  ///
  /// - Throws: `FileSystemError` where nothing can be written there.
  package init(at path: String) throws(FileSystemError) {
    self.path = path
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw FileSystemError(.write, path: path, code: ENOENT)
    }
    var target = path
    switch Folder.kind(of: path) {
    case .folder: throw FileSystemError(.write, path: path, code: EISDIR)
    case .other:
      names = nil
      descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileSystemError(.write, path: path, code: errno) }
      return
    case .file: target = Folder.resolved(path) ?? path
    case nil: break
    }
    let temporary = "\(target).\(getpid()).partial"
    names = (temporary, target)
    descriptor = try TemporaryNames.add(temporary) { () throws(FileSystemError) in
      let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
      let descriptor = unsafe open(temporary, flags, 0o666)
      guard descriptor >= 0 else { throw FileSystemError(.write, path: path, code: errno) }
      return descriptor
    }
  }

  /// Writes `bytes` behind those written before.
  ///
  /// - Throws: `FileSystemError`.
  package func append(_ bytes: [UInt8]) throws(FileSystemError) {
    try OutputFile.write(bytes, to: descriptor, path: path)
  }

  /// Closes the file and gives it its name.
  ///
  /// - Throws: `FileSystemError`; the temporary file is removed then.
  package func commit() throws(FileSystemError) {
    // Some file systems report a full disk only here.
    let isClosed = close(descriptor) == 0
    descriptor = -1
    guard isClosed else {
      let code = errno
      removeTemporary()
      throw FileSystemError(.write, path: path, code: code)
    }
    guard let names else { return }
    guard unsafe rename(names.temporary, names.target) == 0 else {
      let code = errno
      removeTemporary()
      throw FileSystemError(.write, path: path, code: code)
    }
    TemporaryNames.forget(names.temporary)
  }

  private func removeTemporary() {
    if let names { TemporaryNames.remove(names.temporary) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    _ = close(descriptor)
    removeTemporary()
  }
}
