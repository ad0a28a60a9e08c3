// SPDX-License-Identifier: Apache-2.0

internal import Microkernels

#if arch(x86_64)
  internal import _Builtin_intrinsics.intel
#elseif arch(arm64)
  internal import _Builtin_intrinsics.arm.neon
#endif

/// Four floats.
protocol FloatPrimitives: FloatInstructions where Vector == SIMD4<Float> {}

extension FloatPrimitives {
  @inline(__always)
  static func add(_ left: Vector, _ right: Vector) -> Vector { left + right }

  @inline(__always)
  static func subtract(_ left: Vector, _ right: Vector) -> Vector { left - right }

  @inline(__always)
  static func multiply(_ left: Vector, _ right: Vector) -> Vector { left * right }

  @inline(__always)
  static func divide(_ left: Vector, _ right: Vector) -> Vector { left / right }

  @inline(__always)
  static func multiplyAdd(_ sum: Vector, _ left: Vector, _ right: Vector) -> Vector {
    #if arch(x86_64)
      // Without FMA instructions the fused form is a library call per lane.
      sum + left * right
    #else
      sum.addingProduct(left, right)
    #endif
  }

  @inline(__always)
  static func multiplyAdd(_ sum: Vector, _ row: Vector, lane: Int, _ right: Vector) -> Vector {
    sum.addingProduct(Vector(repeating: row[lane]), right)
  }

  @inline(__always)
  static var multipliesByLane: Bool {
    #if arch(arm64)
      true
    #else
      false
    #endif
  }

  @inline(__always)
  static func clamp(_ value: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
    #if arch(x86_64)
      // Both return their second operand where one is NaN.
      _mm_min_ps(highest, _mm_max_ps(lowest, value))
    #elseif arch(arm64)
      // Both return NaN where one is.
      vminq_f32(vmaxq_f32(value, lowest), highest)
    #else
      let raised = value.replacing(with: lowest, where: value .< lowest)
      return raised.replacing(with: highest, where: raised .> highest)
    #endif
  }

  @inline(__always)
  static func squareRoot(_ value: Vector) -> Vector {
    #if arch(x86_64)
      _mm_sqrt_ps(value)
    #else
      value.squareRoot()
    #endif
  }

  @inline(__always)
  static func flipSign(_ value: Vector, whereNegative sign: Vector) -> Vector {
    let signs = unsafe unsafeBitCast(sign, to: SIMD4<UInt32>.self) & 0x8000_0000
    return unsafe unsafeBitCast(
      unsafeBitCast(value, to: SIMD4<UInt32>.self) ^ signs, to: Vector.self)
  }

  @inline(__always)
  static func negativeMagnitude(_ x: Vector) -> Vector {
    unsafe unsafeBitCast(
      unsafeBitCast(x, to: SIMD4<UInt32>.self) | 0x8000_0000, to: Vector.self)
  }

  @inline(__always)
  static func maximum(_ left: Vector, _ right: Vector) -> Vector {
    right.replacing(with: left, where: left .> right)
  }

  @inline(__always)
  static func minimum(_ left: Vector, _ right: Vector) -> Vector {
    right.replacing(with: left, where: left .< right)
  }

  @inline(__always)
  static func select(
    _ left: Vector, lessThan right: Vector, _ then: Vector, else otherwise: Vector
  ) -> Vector {
    otherwise.replacing(with: then, where: left .< right)
  }

  @inline(__always)
  static func scale(_ value: Vector, byPowerOfTwo n: Vector) -> Vector {
    // The bits of n + 1.5 · 2^23 end in n. 2^n itself may be no normal number: two factors are.
    let bits = n + 12_582_912
    let whole = unsafe unsafeBitCast(bits, to: SIMD4<Int32>.self) &- 0x4B40_0000
    let half = whole &>> 1
    return value * power(half) * power(whole &- half)
  }

  @inline(__always)
  static func powerOfTwo(shifted: Vector) -> Vector {
    unsafe unsafeBitCast(
      unsafeBitCast(shifted, to: SIMD4<Int32>.self) &<< 23, to: Vector.self)
  }

  /// 2^n for a normal result.
  @inline(__always)
  static func power(_ n: SIMD4<Int32>) -> Vector {
    unsafe unsafeBitCast((n &+ 127) &<< 23, to: Vector.self)
  }

  @inline(__always)
  static func pairSums(_ left: Vector, _ right: Vector) -> Vector {
    Vector(left[0], right[0], left[1], right[1]) + Vector(left[2], right[2], left[3], right[3])
  }

  @inline(__always)
  static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
    // Lanes by constant numbers: others are written to memory, and read back as a whole.
    @inline(__always)
    func lane(_ index: Int) -> Float {
      unsafe index < count
        ? pointer.loadUnaligned(fromByteOffset: index &* 4, as: Float.self) : 0
    }
    return Vector(lane(0), lane(1), lane(2), lane(3))
  }

  @inline(__always)
  static func storePrefix(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int) {
    @inline(__always)
    func store(_ lane: Float, _ index: Int) {
      guard index < count else { return }
      unsafe pointer.storeBytes(of: lane, toByteOffset: index &* 4, as: Float.self)
    }
    store(value[0], 0)
    store(value[1], 1)
    store(value[2], 2)
    store(value[3], 3)
  }

  @inline(__always)
  static func storeBytes(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int) {
    let bytes = SIMD4<UInt8>(truncatingIfNeeded: truncated(value))
    guard count < 4 else {
      unsafe pointer.storeBytes(of: bytes, as: SIMD4<UInt8>.self)
      return
    }
    unsafe pointer.storeBytes(of: bytes[0], as: UInt8.self)
    if count > 1 { unsafe pointer.storeBytes(of: bytes[1], toByteOffset: 1, as: UInt8.self) }
    if count > 2 { unsafe pointer.storeBytes(of: bytes[2], toByteOffset: 2, as: UInt8.self) }
  }

  /// Numbers of less than 2^22 and not below 0 as integers, in their low bytes at least.
  @inline(__always)
  private static func truncated(_ value: Vector) -> SIMD4<Int32> {
    #if arch(x86_64)
      return unsafe unsafeBitCast(_mm_cvttps_epi32(value), to: SIMD4<Int32>.self)
    #else
      // Adding 2^23 leaves the number, rounded, in the low bits; where it went up, one less is it.
      let rounded = value + 8_388_608
      let truncated = rounded.replacing(
        with: rounded - 1, where: (rounded - 8_388_608) .> value)
      return unsafe unsafeBitCast(truncated, to: SIMD4<Int32>.self)
    #endif
  }
}
