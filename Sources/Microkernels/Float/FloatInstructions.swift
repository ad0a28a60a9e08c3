// SPDX-License-Identifier: Apache-2.0

/// Float arithmetic that products take, on the vectors of one instruction-set level.
@usableFromInline
package protocol FloatProductInstructions {
  /// A vector of floats.
  associatedtype Vector: BitwiseCopyable

  /// All lanes equal to `value`.
  static func broadcast(_ value: Float) -> Vector

  /// `sum + left × right`, rounded once where the level has a fused form.
  static func multiplyAdd(_ sum: Vector, _ left: Vector, _ right: Vector) -> Vector

  /// Each lane limited to the interval; NaN stays NaN, as in TFLite.
  static func clamp(_ value: Vector, _ lowest: Vector, _ highest: Vector) -> Vector

  /// Writes the first `count` lanes of `value`, fewer than a vector's.
  static func storePrefix(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int)

  /// Bytes of a vector's weights in a packed matrix, of which shorter vectors use the first.
  static var packedByteCount: Int { get }
}

/// Float arithmetic on the vectors of one instruction-set level.
@usableFromInline
package protocol FloatInstructions: FloatProductInstructions {
  /// Lane by lane sums.
  static func add(_ left: Vector, _ right: Vector) -> Vector

  /// Lane by lane differences.
  static func subtract(_ left: Vector, _ right: Vector) -> Vector

  /// Lane by lane products.
  static func multiply(_ left: Vector, _ right: Vector) -> Vector

  /// Lane by lane quotients.
  static func divide(_ left: Vector, _ right: Vector) -> Vector

  /// Square roots.
  static func squareRoot(_ value: Vector) -> Vector

  /// `value` with its sign changed in the lanes where `sign` has the sign bit of negative numbers.
  static func flipSign(_ value: Vector, whereNegative sign: Vector) -> Vector

  /// The smaller of both in each lane; `right` where one is NaN.
  static func minimum(_ left: Vector, _ right: Vector) -> Vector

  /// `then` where `left < right`, else `otherwise`, also where one is NaN.
  static func select(
    _ left: Vector, lessThan right: Vector, _ then: Vector, else otherwise: Vector
  ) -> Vector

  /// `value × 2^n` for whole numbers `n` from −151 to 129, which rounds at most once.
  static func scale(_ value: Vector, byPowerOfTwo n: Vector) -> Vector

  /// The first `count` floats at `pointer`, fewer than a vector's, and zeroes; reads no others.
  static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector

  /// Writes the first `count` lanes of `value`, from 0 to less than 256, truncated to bytes.
  static func storeBytes(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int)
}

extension FloatProductInstructions {
  /// Bytes of a vector.
  @inlinable
  @inline(__always)
  package static var byteCount: Int { MemoryLayout<Vector>.size }

  @inlinable
  @inline(__always)
  package static var packedByteCount: Int { byteCount }

  /// Floats in a vector.
  @inlinable
  @inline(__always)
  package static var laneCount: Int { MemoryLayout<Vector>.size / 4 }
}
