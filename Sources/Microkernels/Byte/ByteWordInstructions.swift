// SPDX-License-Identifier: Apache-2.0

/// Bytes turned into words and back, for the depthwise tiles of wide levels.
@usableFromInline
package protocol ByteWordInstructions: ByteInstructions {
  /// A vector's words from half as many signed bytes at `pointer`; unsigned ones become 128 less.
  static func loadWords(_ pointer: UnsafeRawPointer, areSigned: Bool) -> Vector

  /// Writes the even 64-bit lanes of a vector to `even`, the odd ones to `odd`.
  static func storeByTurns(
    _ vector: Vector, _ even: UnsafeMutableRawPointer, _ odd: UnsafeMutableRawPointer)
}

extension ByteWordInstructions {
  /// `loadWords` of the first `count` bytes, fewer than half a vector's; reads no others.
  @inlinable
  @inline(__always)
  package static func loadWordPrefix(
    _ pointer: UnsafeRawPointer, count: Int, areSigned: Bool
  ) -> Vector {
    var bytes = broadcast(0)
    return unsafe withUnsafeMutableBytes(of: &bytes) { bytes in
      for index in 0..<count {
        unsafe bytes[index] = unsafe pointer.load(fromByteOffset: index, as: UInt8.self)
      }
      guard let base = bytes.baseAddress else { return broadcast(0) }
      return unsafe loadWords(base, areSigned: areSigned)
    }
  }
}
