// SPDX-License-Identifier: Apache-2.0

private import CZlib

/// Checksums of the formats that zlib serves.
package enum Checksum {
  /// The CRC-32 of `bytes`, or of what `previous` is the checksum of followed by `bytes`.
  package static func crc32(_ bytes: Span<UInt8>, continuing previous: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return previous }
      return UInt32(truncatingIfNeeded: unsafe crc32_z(UInt(previous), base, buffer.count))
    }
  }

  /// The Adler-32 of `bytes`, or of what `previous` is the checksum of followed by `bytes`.
  package static func adler32(_ bytes: Span<UInt8>, continuing previous: UInt32 = 1) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return previous }
      return UInt32(truncatingIfNeeded: unsafe adler32_z(UInt(previous), base, buffer.count))
    }
  }
}
