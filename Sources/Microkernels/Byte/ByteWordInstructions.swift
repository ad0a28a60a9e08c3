// SPDX-License-Identifier: Apache-2.0

/// Bytes turned into words and back, for the depthwise tiles of wide levels.
@usableFromInline
package protocol ByteWordInstructions: ByteInstructions {
  /// The words of both vectors in the level's order of pairs, within each 128-bit lane: those of the
  /// lanes' low halves, of their high halves.
  static func pairs(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector)

  /// Writes the even 64-bit lanes of a vector to `even`, the odd ones to `odd`.
  static func storeByTurns(
    _ vector: Vector, _ even: UnsafeMutableRawPointer, _ odd: UnsafeMutableRawPointer)
}

extension ByteWordInstructions {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func pairs(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
    interleaveWords(left, right)
  }

  /// A vector's words from half as many quantized values at `pointer`, as if they were signed:
  /// unsigned ones become 128 less.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func loadActivations(_ pointer: UnsafeRawPointer, areSigned: Bool) -> Vector {
    let words = unsafe loadWords(pointer, areSigned: areSigned)
    return areSigned ? words : subtractWords(words, broadcast(word: 128))
  }

  /// `loadActivations` of the first `count` bytes, fewer than half a vector's; reads no others.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func loadActivationPrefix(
    _ pointer: UnsafeRawPointer, count: Int, areSigned: Bool
  ) -> Vector {
    unsafe withUnsafeBytes(of: loadPrefix(pointer, count: count)) { bytes in
      guard let base = bytes.baseAddress else { return broadcast(0) }
      return unsafe loadActivations(base, areSigned: areSigned)
    }
  }
}
