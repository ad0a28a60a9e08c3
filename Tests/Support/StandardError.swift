// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the process prints on standard error.
package enum StandardError {
  /// What is printed while `body` runs, also by tests that run beside it.
  package static func printed(by body: () throws -> Void) throws -> String {
    let file = FileManager.default.temporaryDirectory.path + "/martlet-errors-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let kept = dup(STDERR_FILENO)
    let target = unsafe open(file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard kept >= 0, target >= 0 else { throw CocoaError(.fileWriteUnknown) }
    dup2(target, STDERR_FILENO)
    defer {
      dup2(kept, STDERR_FILENO)
      close(kept)
      close(target)
    }
    try body()
    return try String(contentsOfFile: file, encoding: .utf8)
  }
}
