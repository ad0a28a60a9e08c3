// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The names of this process's temporary files, so that none is left behind when it is told to end.
package enum TemporaryNames {
  private static let names = Mutex<Set<String>>([])

  /// Makes a temporary file at `path` with `make`; where that throws, there is none.
  ///
  /// Nobody ends the process in between, so that no file is missed.
  package static func add<File: Sendable, Failure: Error>(
    _ path: String, _ make: () throws(Failure) -> File
  ) throws(Failure) -> File {
    try names.withLock { names throws(Failure) in
      let file = try make()
      names.insert(path)
      return file
    }
  }

  /// Forgets a file that has got its lasting name.
  package static func forget(_ path: String) { _ = names.withLock { $0.remove(path) } }

  /// Removes a file; false where there is none, or it cannot be removed.
  @discardableResult
  package static func remove(_ path: String) -> Bool {
    names.withLock { names in
      names.remove(path)
      return unsafe unlink(path) == 0
    }
  }

  /// Removes all files and ends the process with `end`; nobody makes further ones in between.
  package static func removeAll(andEnd end: () -> Never) -> Never {
    names.withLock { names in
      for name in names { unsafe unlink(name) }
      end()
    }
  }
}
