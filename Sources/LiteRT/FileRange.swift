// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet

/// A part of an open file.
struct FileRange {
  /// Bytes that are read at once, so that memory is taken for what is there, not for what is asked.
  private static let step = 1 << 20

  let descriptor: Int32
  let offset: Int
  let byteCount: Int

  /// The bytes; the file's position stays as it is.
  ///
  /// - Throws: `LiteRtError.fileIO` where there are fewer, or they cannot be read.
  func bytes() throws(LiteRtError) -> [UInt8] {
    guard byteCount <= Limits().fileByteCount, offset <= Int.max - byteCount else { throw .fileIO }
    var bytes: [UInt8] = []
    while bytes.count < byteCount {
      let wanted = min(Self.step, byteCount - bytes.count)
      let start = offset + bytes.count
      let part = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { part, initialized in
        let count = unsafe pread(descriptor, part.baseAddress, wanted, off_t(start))
        initialized = max(0, count)
      }
      guard !part.isEmpty else { throw .fileIO }
      bytes += part
    }
    return bytes
  }
}
