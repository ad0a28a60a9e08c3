// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension ModelStore {
  /// How long a download that nobody goes on with is kept, in seconds.
  private static let partialLifetime = 7 * 86_400
  /// How long a temporary file of a process that was killed is kept, in seconds.
  private static let temporaryLifetime = 3_600

  /// Removes what processes left that did not come to their end.
  func removeLeftovers() {
    removeFiles(in: partials, olderThan: Self.partialLifetime) { _ in true }
    for folder in [folder, partials] {
      removeFiles(in: folder, olderThan: Self.temporaryLifetime) { $0.hasSuffix(".tmp") }
    }
  }

  private func removeFiles(
    in folder: StoreFolder, olderThan lifetime: Int, where isMeant: (String) -> Bool
  ) {
    let now = time(nil)
    for name in (try? folder.names()) ?? [] where isMeant(name) {
      guard let status = StoreFile.status(of: folder.path(of: name)), status.isRegular,
        status.modified < now - lifetime
      else { continue }
      // What cannot be removed does no harm.
      _ = try? folder.remove(name)
    }
  }
}
