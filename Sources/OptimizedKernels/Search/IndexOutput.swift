// SPDX-License-Identifier: Apache-2.0

/// Where the indices go that a search finds, 32-bit or 64-bit ones.
@unsafe
struct IndexOutput {
  /// The first one.
  let address: UnsafeMutableRawPointer
  /// Whether they have 64 bits.
  let isWide: Bool

  /// Writes the index at `position`.
  @inline(__always)
  func store(_ index: Int, at position: Int) {
    if unsafe isWide {
      unsafe address.storeBytes(of: Int64(index), toByteOffset: position * 8, as: Int64.self)
    } else {
      unsafe address.storeBytes(
        of: Int32(truncatingIfNeeded: index), toByteOffset: position * 4, as: Int32.self)
    }
  }
}
