// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// Sixteen floats.
  protocol FloatPrimitives: FloatInstructions where Vector == SIMD16<Float> {}

  // Operators of Swift's vectors are compiled lane by lane, which takes the compiler long, and which long
  // functions remain.
  extension FloatPrimitives {
    @inline(__always)
    static func add(_ left: Vector, _ right: Vector) -> Vector { _mm512_add_ps(left, right) }

    @inline(__always)
    static func subtract(_ left: Vector, _ right: Vector) -> Vector { _mm512_sub_ps(left, right) }

    @inline(__always)
    static func multiply(_ left: Vector, _ right: Vector) -> Vector { _mm512_mul_ps(left, right) }

    @inline(__always)
    static func divide(_ left: Vector, _ right: Vector) -> Vector { _mm512_div_ps(left, right) }

    @inline(__always)
    static func multiplyAdd(_ sum: Vector, _ left: Vector, _ right: Vector) -> Vector {
      _mm512_fmadd_ps(left, right, sum)
    }

    @inline(__always)
    static func clamp(_ value: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
      // Both return their second operand where one is NaN.
      _mm512_min_ps(highest, _mm512_max_ps(lowest, value))
    }

    @inline(__always)
    static func squareRoot(_ value: Vector) -> Vector { _mm512_sqrt_ps(value) }

    @inline(__always)
    static func flipSign(_ value: Vector, whereNegative sign: Vector) -> Vector {
      let signs = unsafe unsafeBitCast(sign, to: SIMD16<UInt32>.self) & 0x8000_0000
      return unsafe unsafeBitCast(
        unsafeBitCast(value, to: SIMD16<UInt32>.self) ^ signs, to: Vector.self)
    }

    @inline(__always)
    static func negativeMagnitude(_ x: Vector) -> Vector {
      unsafe unsafeBitCast(
        unsafeBitCast(x, to: SIMD16<UInt32>.self) | 0x8000_0000, to: Vector.self)
    }

    @inline(__always)
    static func select(
      _ left: Vector, lessThan right: Vector, _ then: Vector, else otherwise: Vector
    ) -> Vector {
      let isLess = unsafe unsafeBitCast(left .< right, to: __m512i.self)
      return _mm512_mask_blend_ps(_mm512_movepi32_mask(isLess), otherwise, then)
    }

    @inline(__always)
    static func maximum(_ left: Vector, _ right: Vector) -> Vector { _mm512_max_ps(left, right) }

    @inline(__always)
    static func minimum(_ left: Vector, _ right: Vector) -> Vector { _mm512_min_ps(left, right) }

    @inline(__always)
    static func scale(_ value: Vector, byPowerOfTwo n: Vector) -> Vector {
      _mm512_scalef_ps(value, n)
    }

    @inline(__always)
    static func powerOfTwo(shifted: Vector) -> Vector {
      _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_castps_si512(shifted), 23))
    }

    @inline(__always)
    static func pairSums(_ left: Vector, _ right: Vector) -> Vector {
      add(_mm512_unpacklo_ps(left, right), _mm512_unpackhi_ps(left, right))
    }

    @inline(__always)
    static var rotates: Bool { true }

    @inline(__always)
    static func rotate(_ value: Vector, from first: Int) -> Vector {
      // The instruction looks at the last four bits of a lane's number.
      let start = _mm512_set1_epi32(Int32(truncatingIfNeeded: first))
      let lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
      return _mm512_permutexvar_ps(_mm512_add_epi32(start, lanes), value)
    }

    @inline(__always)
    static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
      unsafe _mm512_maskz_loadu_ps(mask(count), pointer)
    }

    @inline(__always)
    static func storePrefix(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int) {
      unsafe _mm512_mask_storeu_ps(pointer, mask(count), value)
    }

    @inline(__always)
    static func storeBytes(
      _ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int
    ) {
      let bytes = _mm512_cvtepi32_epi8(_mm512_cvttps_epi32(value))
      if count >= 16 {
        unsafe pointer.storeBytes(of: bytes, as: __m128i.self)
      } else {
        unsafe _mm_mask_storeu_epi8(pointer, mask(count), bytes)
      }
    }

    @inline(__always)
    static func mask(_ count: Int) -> UInt16 {
      UInt16(truncatingIfNeeded: (1 &<< UInt32(truncatingIfNeeded: count)) &- 1)
    }
  }
#endif
