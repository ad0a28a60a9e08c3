// SPDX-License-Identifier: Apache-2.0

/// A lock that processes and tasks share.
///
/// The system drops it when a process ends, however it ends. Lock files are never removed: a
/// process might be about to lock one that has lost its name.
final class StoreLock: Sendable {
  private let file: StoreFile

  private init(_ file: StoreFile) { self.file = file }

  /// Lets the next one have the lock.
  func release() { file.unlock() }

  /// Waits until nobody else has the lock called `name`.
  static func acquire(
    _ name: String, in folder: StoreFolder, until deadline: ContinuousClock.Instant
  ) async throws(HostingError) -> StoreLock {
    let file = try StoreFile(folder.path(of: name), for: .locking)
    var pause = Duration.milliseconds(5)
    // A waiting `flock` could neither be cancelled nor given a deadline.
    while try !file.lock() {
      guard ContinuousClock.now + pause < deadline else {
        throw HostingError(
          .timedOut, .store, "another process is downloading the model, and has not finished")
      }
      do { try await Task.sleep(for: pause) } catch {
        throw HostingError(.cancelled, .store, "cancelled")
      }
      pause = min(pause * 2, .milliseconds(200))
    }
    return StoreLock(file)
  }
}
