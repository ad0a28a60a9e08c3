// SPDX-License-Identifier: Apache-2.0

/// Sums of products on vectors of floats.
@usableFromInline
package protocol FloatSums {
  /// A vector of floats.
  associatedtype Vector: BitwiseCopyable

  /// All lanes equal to `value`.
  static func broadcast(_ value: Float) -> Vector

  /// `sum + left × right`, rounded once where the level has a fused form.
  static func multiplyAdd(_ sum: Vector, _ left: Vector, _ right: Vector) -> Vector

  /// Each lane limited to the interval; NaN stays NaN, as in TFLite.
  static func clamp(_ value: Vector, _ lowest: Vector, _ highest: Vector) -> Vector
}

/// Float arithmetic that products take, on the vectors of one instruction-set level.
@usableFromInline
package protocol FloatProductInstructions: FloatSums {
  /// Writes the first `count` lanes of `value`, fewer than a vector's.
  static func storePrefix(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int)

  /// Bytes of a vector's weights in a packed matrix, of which shorter vectors use the first.
  static var packedByteCount: Int { get }

  /// Whether a tile reads a vector of a row at once and multiplies by each of its floats.
  static var multipliesByLane: Bool { get }

  /// `multiplyAdd` with one lane of `row`, the same for all sums.
  static func multiplyAdd(_ sum: Vector, _ row: Vector, lane: Int, _ right: Vector) -> Vector
}

/// Float arithmetic on vectors, which functions are made of.
@usableFromInline
package protocol FloatArithmetic: FloatSums {
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

  /// `−|x|`: every lane with a sign bit.
  static func negativeMagnitude(_ x: Vector) -> Vector

  /// The larger of both in each lane; `right` where one is NaN.
  static func maximum(_ left: Vector, _ right: Vector) -> Vector

  /// The smaller of both in each lane; `right` where one is NaN.
  static func minimum(_ left: Vector, _ right: Vector) -> Vector

  /// `then` where `left < right`, else `otherwise`, also where one is NaN.
  static func select(
    _ left: Vector, lessThan right: Vector, _ then: Vector, else otherwise: Vector
  ) -> Vector

  /// `then` where `sign` has the sign bit of negative numbers, else `otherwise`; either where it is zero
  /// or NaN.
  static func select(whereNegative sign: Vector, _ then: Vector, else otherwise: Vector) -> Vector

  /// Positive normal numbers as `fraction · 2^exponent`, fractions from `√½` to less than `√2`.
  static func parts(of x: Vector) -> (fraction: Vector, exponent: Vector)

  /// `value × 2^n` for whole numbers `n` from −151 to 129, which rounds at most once.
  static func scale(_ value: Vector, byPowerOfTwo n: Vector) -> Vector

  /// `2^n` for whole numbers `n` from −126 to 127, 0 for −127, infinity for 128; `shifted` is
  /// `n + FloatPower.shift`.
  static func powerOfTwo(shifted: Vector) -> Vector
}

/// How powers of two are found.
@usableFromInline
package enum FloatPower {
  /// 1.5 · 2^23 and the exponent of 1 as a float has it.
  ///
  /// The bits of a whole number `n`'s sum with it, shifted left by 23, are those of `2^n`.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var shift: Float { 12_582_912 + 127 }
}

/// Float arithmetic on the vectors of one instruction-set level.
@usableFromInline
package protocol FloatInstructions: FloatProductInstructions, FloatArithmetic {
  /// The first `count` floats at `pointer`, fewer than a vector's, and zeroes; reads no others.
  static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector

  /// Of every four lanes, the sums of the first and third of `left` and of `right`, and those of the
  /// second and fourth of both: `(l₀ + l₂, r₀ + r₂, l₁ + l₃, r₁ + r₃)`.
  static func pairSums(_ left: Vector, _ right: Vector) -> Vector

  /// Whether lanes can change places at little cost, which is worth it for vectors that often lie in
  /// two cache lines: those of more than 16 bytes.
  static var rotates: Bool { get }

  /// The lanes of `value` from `first` on, less than their number, and then those before it.
  static func rotate(_ value: Vector, from first: Int) -> Vector

  /// Writes the first `count` lanes of `value`, from 0 to less than 256, truncated to bytes.
  static func storeBytes(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int)
}

extension FloatProductInstructions {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var packedByteCount: Int { byteCount }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static var multipliesByLane: Bool { false }

  /// Levels that do not multiply by lanes have no other product.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func multiplyAdd(
    _ sum: Vector, _ row: Vector, lane: Int, _ right: Vector
  ) -> Vector {
    multiplyAdd(sum, row, right)
  }
}

extension FloatArithmetic {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func select(
    whereNegative sign: Vector, _ then: Vector, else otherwise: Vector
  ) -> Vector {
    select(sign, lessThan: broadcast(0), then, else: otherwise)
  }
}

extension FloatSums {
  /// Bytes of a vector.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var byteCount: Int { MemoryLayout<Vector>.size }

  /// Floats in a vector.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var laneCount: Int { MemoryLayout<Vector>.size / 4 }

  /// The vector at `pointer`.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ pointer: UnsafeRawPointer) -> Vector {
    unsafe pointer.loadUnaligned(as: Vector.self)
  }
}

extension FloatInstructions {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var rotates: Bool { false }

  /// Levels that do not rotate have all lanes where they are.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func rotate(_ value: Vector, from first: Int) -> Vector { value }

  /// Partial sums of four vectors: of every four lanes, the first has the sum of those of `first`, the
  /// next that of those of `second`, and so on.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func sums(
    _ first: Vector, _ second: Vector, _ third: Vector, _ fourth: Vector
  ) -> Vector {
    pairSums(pairSums(first, third), pairSums(second, fourth))
  }
}
