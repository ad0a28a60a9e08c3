// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
package import FileAccess
import Formatting

/// The streams of this process.
package final class SystemConsole: Console {
  private let signals: TerminationSignals

  /// A console over descriptors 0, 1 and 2, which takes the process's signals over.
  ///
  /// A reader that goes away must end in an error, and `SIGTERM` and `SIGINT` in an exit code, with
  /// no temporary files left behind. Threads that are there already keep receiving these signals.
  package init() {
    _ = signal(SIGPIPE, SIG_IGN)
    #if !canImport(Darwin)
      // So must a file that may not grow any more.
      _ = signal(SIGXFSZ, SIG_IGN)
    #endif
    signals = TerminationSignals()
  }

  package func write(_ bytes: [UInt8]) throws(FileSystemError) {
    try OutputFile.write(bytes, to: STDOUT_FILENO, path: "standard output")
  }

  package func note(_ text: String) {
    // What shows progress erases its line first.
    let erasure = "\r\u{1B}[K"
    let isProgress = text.unicodeScalars.starts(with: erasure.unicodeScalars)
    let rest = text.unicodeScalars.dropFirst(isProgress ? erasure.unicodeScalars.count : 0)
    let shown = (isProgress ? erasure : "") + String(rest).terminalText
    // Where standard error is closed there is nobody to tell.
    try? OutputFile.write(Array(shown.utf8), to: STDERR_FILENO, path: "standard error")
  }

  package func readInput() throws(FileSystemError) -> [UInt8] {
    try InputFile.bytes(of: STDIN_FILENO, path: "standard input")
  }

  package func streamInput() throws(FileSystemError) -> any StreamedInput {
    try SystemInput(signals)
  }

  package func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The program finds the signals blocked that this one took over, and takes them over itself: none
  /// is lost.
  package func becomeProgram(at path: String, _ arguments: [String]) -> Int32 {
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) }
    unsafe words.append(nil)
    unsafe execv(path, &words)
    let code = errno
    unsafe words.forEach { unsafe free($0) }
    return code
  }

  package var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }
}
