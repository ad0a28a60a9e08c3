// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Writing files so that nobody ever sees half of one.
package enum OutputFile {
  /// Puts `bytes` at `path`: into a temporary file beside it, which then takes its name.
  ///
  /// Until the last step an older file stays as it was. A symbolic link keeps pointing where it
  /// does, and the file behind it is replaced. Devices and pipes are written directly.
  ///
  /// - Throws: `FileSystemError`; the temporary file is removed then.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    let file = try PendingFile(at: path)
    try file.append(bytes)
    try file.commit()
  }

  /// Writes all of `bytes` to an open descriptor; `path` names it in errors.
  package static func write(
    _ bytes: [UInt8], to descriptor: Int32, path: String
  ) throws(FileSystemError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Self.write(descriptor, buffer.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileSystemError(.write, path: path, code: errno) }
      done += count
    }
  }

  /// The system's `write`, whose name this type's methods share.
  @unsafe
  private static func write(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      unsafe Musl.write(descriptor, bytes, count)
    #else
      unsafe Darwin.write(descriptor, bytes, count)
    #endif
  }
}
