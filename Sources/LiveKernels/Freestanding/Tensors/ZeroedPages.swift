// SPDX-License-Identifier: Apache-2.0

/// Where there is no system that maps memory, no allocation is a mapping.
@unsafe
struct ZeroedPages {
  let base: UnsafeMutableRawPointer
  let byteCount: Int
  let isSmall: Bool

  init?(_ byteCount: Int, dense: Int) { return nil }

  static func populate(_ base: UnsafeMutableRawPointer, byteCount: Int) {}

  static func unmap(_ base: UnsafeMutableRawPointer, byteCount: Int) {}
}
