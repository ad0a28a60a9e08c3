// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// Eight floats.
  protocol FloatPrimitives: FloatInstructions, Floats256 {}

  // As with AVX-512, operators of Swift's vectors would be compiled lane by lane.
  extension FloatPrimitives {
    @inline(__always)
    static func add(_ left: Vector, _ right: Vector) -> Vector { _mm256_add_ps(left, right) }

    @inline(__always)
    static func subtract(_ left: Vector, _ right: Vector) -> Vector { _mm256_sub_ps(left, right) }

    @inline(__always)
    static func multiply(_ left: Vector, _ right: Vector) -> Vector { _mm256_mul_ps(left, right) }

    @inline(__always)
    static func divide(_ left: Vector, _ right: Vector) -> Vector { _mm256_div_ps(left, right) }

    @inline(__always)
    static func squareRoot(_ value: Vector) -> Vector { _mm256_sqrt_ps(value) }

    @inline(__always)
    static func flipSign(_ value: Vector, whereNegative sign: Vector) -> Vector {
      let signs = unsafe unsafeBitCast(sign, to: SIMD8<UInt32>.self) & 0x8000_0000
      return unsafe unsafeBitCast(
        unsafeBitCast(value, to: SIMD8<UInt32>.self) ^ signs, to: Vector.self)
    }

    @inline(__always)
    static func negativeMagnitude(_ x: Vector) -> Vector {
      unsafe unsafeBitCast(
        unsafeBitCast(x, to: SIMD8<UInt32>.self) | 0x8000_0000, to: Vector.self)
    }

    @inline(__always)
    static func select(
      _ left: Vector, lessThan right: Vector, _ then: Vector, else otherwise: Vector
    ) -> Vector {
      let isLess = unsafe unsafeBitCast(left .< right, to: Vector.self)
      return _mm256_blendv_ps(otherwise, then, isLess)
    }

    @inline(__always)
    static func maximum(_ left: Vector, _ right: Vector) -> Vector { _mm256_max_ps(left, right) }

    @inline(__always)
    static func select(
      whereNegative sign: Vector, _ then: Vector, else otherwise: Vector
    ) -> Vector {
      _mm256_blendv_ps(otherwise, then, sign)
    }

    @inline(__always)
    static func minimum(_ left: Vector, _ right: Vector) -> Vector { _mm256_min_ps(left, right) }

    @inline(__always)
    static func scale(_ value: Vector, byPowerOfTwo n: Vector) -> Vector {
      // 2^n itself may be no normal number: two factors are.
      let whole = _mm256_cvtps_epi32(n)
      let half = _mm256_srai_epi32(whole, 1)
      return multiply(multiply(value, power(half)), power(_mm256_sub_epi32(whole, half)))
    }

    @inline(__always)
    static func powerOfTwo(shifted: Vector) -> Vector {
      _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(shifted), 23))
    }

    /// 2^n for a normal result.
    @inline(__always)
    static func power(_ n: __m256i) -> Vector {
      _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23))
    }

    @inline(__always)
    static func pairSums(_ left: Vector, _ right: Vector) -> Vector {
      add(_mm256_unpacklo_ps(left, right), _mm256_unpackhi_ps(left, right))
    }

    @inline(__always)
    static var rotates: Bool { true }

    @inline(__always)
    static func rotate(_ value: Vector, from first: Int) -> Vector {
      // The instruction looks at the last three bits of a lane's number.
      let start = _mm256_set1_epi32(Int32(truncatingIfNeeded: first))
      let lanes = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0)
      return _mm256_permutevar8x32_ps(value, _mm256_add_epi32(start, lanes))
    }

    @inline(__always)
    static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
      unsafe _mm256_maskload_ps(pointer.assumingMemoryBound(to: Float.self), mask(count))
    }

    /// In pieces: AMD processors before Zen 4 take a dozen cycles for a store with a mask.
    @inline(__always)
    static func storePrefix(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int) {
      guard count < 8 else { return unsafe pointer.storeBytes(of: value, as: Vector.self) }
      var (target, four) = unsafe (pointer, value.lowHalf)
      if count & 4 != 0 {
        unsafe target.storeBytes(of: four, as: SIMD4<Float>.self)
        unsafe target += 16
        four = value.highHalf
      }
      var two = four.lowHalf
      if count & 2 != 0 {
        unsafe target.storeBytes(of: two, as: SIMD2<Float>.self)
        unsafe target += 8
        two = four.highHalf
      }
      if count & 1 != 0 { unsafe target.storeBytes(of: two[0], as: Float.self) }
    }

    @inline(__always)
    static func storeBytes(
      _ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int
    ) {
      let words = _mm256_cvttps_epi32(value)
      let pairs = _mm256_packs_epi32(words, words)
      // Each half of the vector now begins with its four bytes.
      let halves = unsafe unsafeBitCast(_mm256_packus_epi16(pairs, pairs), to: SIMD8<UInt32>.self)
      let bytes = UInt64(halves[0]) | UInt64(halves[4]) &<< 32
      if count >= 8 {
        unsafe pointer.storeBytes(of: bytes, as: UInt64.self)
        return
      }
      for lane in 0..<count {
        unsafe pointer.storeBytes(
          of: UInt8(truncatingIfNeeded: bytes &>> UInt64(8 &* lane)), toByteOffset: lane,
          as: UInt8.self)
      }
    }

    @inline(__always)
    static func mask(_ count: Int) -> __m256i {
      _mm256_cmpgt_epi32(
        _mm256_set1_epi32(Int32(truncatingIfNeeded: count)),
        _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0))
    }
  }
#endif
