// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// The bytes of a file or of standard input, as they come.
struct ByteStream {
  /// What the stream is called in errors.
  let location: String
  private let read: (Int) throws(FileSystemError) -> [UInt8]?
  private let readSignal: () -> TerminationSignal?

  /// The bytes at `path`; - is standard input.
  ///
  /// - Throws: `CommandError` where the file cannot be opened.
  init(_ path: String, _ console: any Console) throws(CommandError) {
    do throws(FileSystemError) {
      guard path == "-" else {
        let file = try OpenFile(path: path)
        location = path
        readSignal = { nil }
        read = { count throws(FileSystemError) in try file.next(count) }
        return
      }
      let input = try console.streamInput()
      location = "standard input"
      readSignal = { input.signal }
      read = { count throws(FileSystemError) in try input.next(count) }
    } catch {
      throw .file(error)
    }
  }

  /// The signal that ended the stream, if one did.
  var signal: TerminationSignal? { readSignal() }

  /// The next bytes, at most so many; none at the end, nil once the stream was stopped.
  func next(_ count: Int) throws(CommandError) -> [UInt8]? {
    guard signal == nil else { return nil }
    do throws(FileSystemError) { return try read(count) } catch { throw .file(error) }
  }
}
