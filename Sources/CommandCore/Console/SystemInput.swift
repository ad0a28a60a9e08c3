// SPDX-License-Identifier: Apache-2.0

package import FileAccess

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Standard input of this process, which `SIGTERM`, `SIGINT` and `SIGHUP` stop.
///
/// A pipe wakes a thread that waits for input. A second signal ends the process at once.
package final class SystemInput: StreamedInput {
  /// Both ends of the pipe that wakes whoever waits; it lives as long as the process.
  private let wake: (reading: Int32, writing: Int32)
  private let signals: TerminationSignals

  /// Takes the signals over; from here on they stop the input and no longer end the process.
  ///
  /// - Throws: `FileSystemError` where standard input is closed or no descriptors are left.
  package init(_ signals: TerminationSignals) throws(FileSystemError) {
    self.signals = signals
    var ends: [Int32] = [-1, -1]
    // A closed standard input's number would be given to the pipe.
    guard fcntl(STDIN_FILENO, F_GETFD) >= 0, unsafe pipe(&ends) == 0 else {
      throw FileSystemError(.read, path: "standard input", code: errno)
    }
    wake = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signals.listen { [self] in stop() }
  }

  package func next(_ count: Int) throws(FileSystemError) -> [UInt8]? {
    var ready = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe poll(&ready, 2, -1) < 0 {
      guard errno == EINTR else { throw failure() }
    }
    // Nobody takes what `stop` wrote, so the input stays stopped.
    guard ready[1].revents == 0 else { return nil }
    return try InputFile.piece(of: STDIN_FILENO, count, path: "standard input")
  }

  private func failure() -> FileSystemError {
    FileSystemError(.read, path: "standard input", code: errno)
  }

  package func stop() {
    // Where the pipe is full, it has been stopped often enough.
    try? OutputFile.write([0], to: wake.writing, path: "wake")
  }

  package var signal: TerminationSignal? { signals.received }
}
