// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on 16-bit words and 32-bit lanes, for element-wise operators on quantized values.
@usableFromInline
package protocol ByteLaneInstructions: ByteInstructions {
  /// The differences of 32-bit lanes, wrapping.
  static func subtract(_ left: Vector, _ right: Vector) -> Vector

  /// 32-bit lanes moved towards the high bits.
  static func shiftLeft(_ vector: Vector, by count: Int32) -> Vector

  /// Signed 32-bit lanes divided by a power of two, rounded down.
  static func shiftRight(_ vector: Vector, by count: Int32) -> Vector

  /// The sums of 16-bit words, wrapping.
  static func addWords(_ left: Vector, _ right: Vector) -> Vector

  /// Signed 16-bit words divided by 256, rounded down.
  static func highBytes(_ words: Vector) -> Vector

  /// The sums of signed bytes and words, wrapping: those of the low and of the high half of each
  /// 128-bit lane of bytes.
  static func addBytes(_ bytes: Vector, to words: Vector) -> (low: Vector, high: Vector)

  /// The products of signed 16-bit words: their low halves, their high halves.
  static func multiplyWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector)

  /// Whether any 32-bit lane of four vectors is less than `limit` once only the bits of `mask`,
  /// which is positive, are left.
  static func hasLess(
    _ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, _ mask: Vector, than limit: Vector
  ) -> Bool

  /// The sums of the two products of each lane's signed 16-bit words.
  static func dotWords(_ left: Vector, _ right: Vector) -> Vector

  /// `u + d` of `ByteSumEstimate` for pairs of signed bytes, in the order of interleaved bytes and
  /// words.
  static func estimates(
    _ left: Vector, _ right: Vector, _ terms: ByteEstimateVectors<Self>
  ) -> InlineArray<4, Vector>

  /// Writes a vector's first `count` bytes.
  static func storePrefix(_ vector: Vector, to pointer: UnsafeMutableRawPointer, count: Int)

  /// The products of signed 16-bit words, those of the low and of the high halves of a vector of
  /// bytes, in the order of interleaved bytes and words.
  static func products(
    _ left: (low: Vector, high: Vector), _ right: (low: Vector, high: Vector)
  ) -> InlineArray<4, Vector>
}

extension ByteLaneInstructions {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func addBytes(
    _ bytes: Vector, to words: Vector
  ) -> (low: Vector, high: Vector) {
    let pairs = interleaveBytes(broadcast(0), bytes)
    return (addWords(highBytes(pairs.low), words), addWords(highBytes(pairs.high), words))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func products(
    _ left: (low: Vector, high: Vector), _ right: (low: Vector, high: Vector)
  ) -> InlineArray<4, Vector> {
    let low = multiplyWords(left.low, right.low)
    let high = multiplyWords(left.high, right.high)
    let first = interleaveWords(low.low, low.high)
    let second = interleaveWords(high.low, high.high)
    return [first.low, first.high, second.low, second.high]
  }

  /// Both words of all lanes: factors whose sum `dotWords` multiplies a doubled word by.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func broadcast(factor: Int32) -> Vector {
    // Halves, so that 2^15 is possible too.
    let half = factor / 2
    return broadcast((factor &- half) &<< 16 | half & 0xFFFF)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func storePrefix(
    _ vector: Vector, to pointer: UnsafeMutableRawPointer, count: Int
  ) {
    unsafe withUnsafeBytes(of: vector) { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe pointer.copyMemory(from: base, byteCount: count)
    }
  }
}
