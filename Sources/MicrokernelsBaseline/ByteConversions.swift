// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  extension BytePrimitives {
    @inline(__always)
    static func truncate(_ value: FloatVector) -> Vector { _mm_cvttps_epi32(value) }

    @inline(__always)
    static func convert(_ lanes: Vector) -> FloatVector { _mm_cvtepi32_ps(lanes) }

    @inline(__always)
    static func multiplyLanes(_ left: Vector, _ right: Vector) -> Vector {
      // SSE2 multiplies 32-bit numbers two at a time.
      let even = _mm_mul_epu32(left, right)
      let odd = _mm_mul_epu32(_mm_srli_epi64(left, 32), _mm_srli_epi64(right, 32))
      return _mm_or_si128(
        _mm_and_si128(even, _mm_set1_epi64x(0xFFFF_FFFF)), _mm_slli_epi64(odd, 32))
    }

    @inline(__always)
    static func clampLanes(
      _ lanes: Vector, _ lowest: Vector, _ highest: Vector
    ) -> Vector {
      let raised = select(lanes, lowest, where: _mm_cmpgt_epi32(lanes, lowest))
      return select(highest, raised, where: _mm_cmpgt_epi32(raised, highest))
    }

    /// The lanes of `chosen` where all bits of `mask` are set, those of `other` where none is.
    @inline(__always)
    private static func select(_ chosen: Vector, _ other: Vector, where mask: Vector) -> Vector {
      _mm_or_si128(_mm_and_si128(mask, chosen), _mm_andnot_si128(mask, other))
    }

    @inline(__always)
    static func loadLanes(_ pointer: UnsafeRawPointer, flip: Int8) -> Vector {
      let loaded = _mm_cvtsi32_si128(unsafe pointer.loadUnaligned(as: Int32.self))
      let bytes = _mm_xor_si128(loaded, _mm_set1_epi8(flip))
      let words = _mm_unpacklo_epi8(bytes, bytes)
      return _mm_srai_epi32(_mm_unpacklo_epi16(words, words), 24)
    }

    @inline(__always)
    static func roundedProducts(
      _ sums: UnsafeRawPointer, _ factors: UnsafeRawPointer
    ) -> Vector {
      unsafe _mm_unpacklo_epi64(
        roundedPair(sums, factors), roundedPair(sums + 8, factors + 16))
    }

    /// Two of them, in the low half.
    @inline(__always)
    private static func roundedPair(
      _ sums: UnsafeRawPointer, _ factors: UnsafeRawPointer
    ) -> Vector {
      let reals = _mm_cvtepi32_pd(_mm_cvtsi64_si128(unsafe sums.loadUnaligned(as: Int64.self)))
      let products = unsafe _mm_mul_pd(reals, factors.loadUnaligned(as: __m128d.self))
      let signs = _mm_and_pd(products, _mm_set1_pd(-0.0))
      let half = _mm_or_pd(signs, _mm_set1_pd(nearlyHalfOfDoubles))
      return _mm_cvttpd_epi32(_mm_add_pd(products, half))
    }

    @inline(__always)
    static func storeLowBytes(_ lanes: Vector, to pointer: UnsafeMutableRawPointer) {
      let low = _mm_and_si128(lanes, _mm_set1_epi32(0xFF))
      let words = _mm_packs_epi32(low, low)
      unsafe pointer.storeBytes(
        of: _mm_cvtsi128_si32(_mm_packus_epi16(words, words)), as: Int32.self)
    }
  }
#endif
