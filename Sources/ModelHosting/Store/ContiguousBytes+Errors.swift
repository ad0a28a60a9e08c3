// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ContiguousBytes {
  /// The bytes as a buffer, to a body whose errors keep their type.
  func withBytes(
    _ body: (UnsafeRawBufferPointer) throws(HostingError) -> Void
  ) throws(HostingError) {
    var failure: HostingError?
    unsafe withUnsafeBytes { buffer in
      do throws(HostingError) { try unsafe body(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
