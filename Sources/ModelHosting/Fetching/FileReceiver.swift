// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Synchronization

/// Writes the body of an answer into a partial file, and never more than the file may have.
final class FileReceiver: HTTPReceiver {
  /// What an answer came to.
  struct Progress {
    /// How many bytes of the file are on disk.
    var size: Int
    /// How many there will be; nil while nobody has said.
    var expectedSize: Int?
    /// The answer; nil before it came.
    var head: HTTPHead?
    /// Why the answer was not taken to its end.
    var error: HostingError?
    /// Whether the bytes that were there do not go with the answer, and must be left.
    var mustRestart = false
  }

  private let partial: PartialFile
  /// The offset that was asked for; 0 asks for the whole file.
  private let offset: Int
  private let maximumSize: Int
  private let report: @Sendable (_ size: Int, _ expectedSize: Int?) -> Void
  private let state: Mutex<Progress>

  init(
    _ partial: PartialFile, offset: Int, expectedSize: Int?, maximumSize: Int,
    report: @escaping @Sendable (_ size: Int, _ expectedSize: Int?) -> Void
  ) {
    self.partial = partial
    self.offset = offset
    self.maximumSize = maximumSize
    self.report = report
    state = Mutex(Progress(size: offset, expectedSize: expectedSize))
  }

  /// What has come so far.
  var progress: Progress { state.withLock { $0 } }

  func start(_ head: HTTPHead) -> Bool {
    state.withLock { state in
      state.head = head
      do throws(HostingError) {
        try Self.accept(head, offset: offset, maximumSize: maximumSize, &state)
        if state.size == 0 { try partial.restart(validator: PartialFile.validator(of: head)) }
      } catch {
        state.error = error
      }
      return state.error == nil
    }
  }

  func receive(_ bytes: Data) -> Bool {
    let progress = state.withLock { state -> Progress in
      let limit = state.expectedSize ?? maximumSize
      guard bytes.count <= limit - state.size else {
        state.error = HostingError(
          .damagedFile, .file, "the file has more than the \(limit) bytes that it may have")
        return state
      }
      do throws(HostingError) {
        try partial.handle.write(bytes.span, at: state.size)
        state.size += bytes.count
      } catch {
        state.error = error
      }
      return state
    }
    guard progress.error == nil else { return false }
    report(progress.size, progress.expectedSize)
    return true
  }

  /// Decides from status and headers how the body is to be taken.
  private static func accept(
    _ head: HTTPHead, offset: Int, maximumSize: Int, _ state: inout Progress
  ) throws(HostingError) {
    switch head.status {
    case 200, 203:
      state.size = 0
      guard head.isPlain, let length = head.contentLength else { return }
      let expected = state.expectedSize ?? length
      guard length == expected else {
        throw HostingError(
          .damagedFile, .file, "the file has \(length) bytes, not the announced \(expected)")
      }
      guard expected <= maximumSize else {
        throw HostingError(.damagedFile, .file, "the file has more than \(maximumSize) bytes")
      }
      state.expectedSize = expected
    case 206:
      guard offset > 0 else {
        throw HostingError(.malformedAnswer, .file, "a part of the file, which nobody asked for")
      }
      guard head.isPlain, let range = ContentRange(head["Content-Range"] ?? ""),
        range.start == offset, range.total == nil || range.total == state.expectedSize
      else {
        state.mustRestart = true
        throw HostingError(.interrupted, .file, "another part of the file than was asked for")
      }
    case 416 where offset > 0:
      state.mustRestart = true
      throw HostingError(.interrupted, .file, "the file ends before the part that was asked for")
    case 200..<300:
      throw HostingError(.malformedAnswer, .file, "no file, but HTTP status \(head.status)")
    case _:
      throw HostingError(
        .status(head.status), .file,
        "Model download failed with HTTP error code: \(head.status)")
    }
  }
}

/// The header that says which part of a file an answer holds: `bytes 5-9/10`.
struct ContentRange {
  /// The offset of the part's first byte.
  let start: Int
  /// The size of the whole file, where the host knows it.
  let total: Int?

  init?(_ text: String) {
    guard text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = Int(parts[0].prefix { $0 != "-" }), start >= 0 else {
      return nil
    }
    self.start = start
    total = Int(parts[1])
  }
}
