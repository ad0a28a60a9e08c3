// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file without a lasting name, for what memory should not hold.
final class TemporaryFile {
  /// Where it lies while this object lives.
  let path: String
  private var descriptor: Int32

  /// An empty file in the folder that `TMPDIR` names, or in `/tmp`.
  ///
  /// - Throws: `FileSystemError` where none can be made.
  init() throws(FileSystemError) {
    let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    let template = (named.isEmpty ? "/tmp" : named) + "/martlet-XXXXXX"
    var name = Array(template.utf8CString)
    descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else { throw FileSystemError(.create, path: template, code: errno) }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Writes `bytes` behind those written before.
  ///
  /// - Throws: `FileSystemError`.
  func append(_ bytes: [UInt8]) throws(FileSystemError) {
    try OutputFile.write(bytes, to: descriptor, path: path)
  }

  deinit {
    _ = close(descriptor)
    unsafe unlink(path)
  }
}
