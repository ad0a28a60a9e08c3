// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// 32 bytes; whether words or bytes are multiplied is in `ByteDot.swift`.
  protocol BytePrimitives: Bytes256, ByteConversionInstructions, ByteShuffleInstructions,
    ByteWordInstructions
  where FloatVector == SIMD8<Float> {}

  extension BytePrimitives {
    @inline(__always)
    static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
      guard count & 3 == 0 else { return unsafe copyPrefix(pointer, count: count) }
      let words = Int32(truncatingIfNeeded: count / 4)
      let mask = _mm256_cmpgt_epi32(broadcast(words), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0))
      return unsafe _mm256_maskload_epi32(pointer.assumingMemoryBound(to: Int32.self), mask)
    }

    @inline(__always)
    static func upperHalves(_ even: Vector, _ odd: Vector) -> Vector {
      _mm256_blendv_epi8(_mm256_srli_epi64(even, 32), odd, _mm256_set1_epi64x(-1 << 32))
    }
  }

  extension BytePrimitives {
    @inline(__always)
    static func subtract(_ left: Vector, _ right: Vector) -> Vector {
      _mm256_sub_epi32(left, right)
    }

    @inline(__always)
    static func shiftLeft(_ vector: Vector, by count: Int32) -> Vector {
      _mm256_sll_epi32(vector, _mm_cvtsi32_si128(count))
    }

    @inline(__always)
    static func shiftRight(_ vector: Vector, by count: Int32) -> Vector {
      _mm256_sra_epi32(vector, _mm_cvtsi32_si128(count))
    }

    @inline(__always)
    static func addWords(_ left: Vector, _ right: Vector) -> Vector {
      _mm256_add_epi16(left, right)
    }

    @inline(__always)
    static func highBytes(_ words: Vector) -> Vector { _mm256_srai_epi16(words, 8) }

    @inline(__always)
    static func multiplyWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm256_mullo_epi16(left, right), _mm256_mulhi_epi16(left, right))
    }

    @inline(__always)
    static func hasLess(
      _ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, _ mask: Vector, than limit: Vector
    ) -> Bool {
      let first = _mm256_min_epi32(_mm256_and_si256(a, mask), _mm256_and_si256(b, mask))
      let second = _mm256_min_epi32(_mm256_and_si256(c, mask), _mm256_and_si256(d, mask))
      return _mm256_movemask_epi8(
        _mm256_cmpgt_epi32(limit, _mm256_min_epi32(first, second))) != 0
    }

    @inline(__always)
    static func dotWords(_ left: Vector, _ right: Vector) -> Vector {
      _mm256_madd_epi16(left, right)
    }
  }

  extension BytePrimitives {
    @inline(__always)
    static func loadLanes(_ pointer: UnsafeRawPointer) -> Vector {
      _mm256_broadcastsi128_si256(unsafe pointer.loadUnaligned(as: __m128i.self))
    }

    @inline(__always)
    static func shuffle(_ table: Vector, _ indices: Vector) -> Vector {
      _mm256_shuffle_epi8(table, indices)
    }

    @inline(__always)
    static func lowBits(_ bytes: Vector) -> Vector {
      _mm256_and_si256(bytes, _mm256_set1_epi8(15))
    }

    @inline(__always)
    static func choose(_ clear: Vector, _ set: Vector, by bits: Vector) -> Vector {
      _mm256_blendv_epi8(clear, set, bits)
    }
  }

  extension BytePrimitives {
    @inline(__always)
    static func storeByTurns(
      _ vector: Vector, _ even: UnsafeMutableRawPointer, _ odd: UnsafeMutableRawPointer
    ) {
      let lanes = _mm256_permutevar8x32_epi32(vector, _mm256_set_epi32(7, 6, 3, 2, 5, 4, 1, 0))
      unsafe even.storeBytes(of: lanes.lowHalf, as: __m128i.self)
      unsafe odd.storeBytes(of: lanes.highHalf, as: __m128i.self)
    }
  }

  extension BytePrimitives {
    @inline(__always)
    static func truncate(_ value: FloatVector) -> Vector { _mm256_cvttps_epi32(value) }

    @inline(__always)
    static func convert(_ lanes: Vector) -> FloatVector { _mm256_cvtepi32_ps(lanes) }

    @inline(__always)
    static func multiplyLanes(_ left: Vector, _ right: Vector) -> Vector {
      _mm256_mullo_epi32(left, right)
    }

    @inline(__always)
    static func clampLanes(
      _ lanes: Vector, _ lowest: Vector, _ highest: Vector
    ) -> Vector {
      _mm256_min_epi32(_mm256_max_epi32(lanes, lowest), highest)
    }

    @inline(__always)
    static func loadLanes(_ pointer: UnsafeRawPointer, flip: Int8) -> Vector {
      let bytes = _mm_cvtsi64_si128(unsafe pointer.loadUnaligned(as: Int64.self))
      return _mm256_cvtepi8_epi32(_mm_xor_si128(bytes, _mm_set1_epi8(flip)))
    }

    @inline(__always)
    static func roundedProducts(
      _ sums: UnsafeRawPointer, _ factors: UnsafeRawPointer
    ) -> Vector {
      unsafe Vector(
        lowHalf: roundedHalf(sums, factors), highHalf: roundedHalf(sums + 16, factors + 32))
    }

    @inline(__always)
    static func roundedHalf(
      _ sums: UnsafeRawPointer, _ factors: UnsafeRawPointer
    ) -> __m128i {
      let reals = unsafe _mm256_cvtepi32_pd(sums.loadUnaligned(as: __m128i.self))
      let products = unsafe reals * factors.loadUnaligned(as: SIMD4<Double>.self)
      let signs = unsafe unsafeBitCast(products, to: SIMD4<UInt64>.self) & 1 << 63
      let half = SIMD4<UInt64>(repeating: nearlyHalfOfDoubles.bitPattern)
      let lifted = unsafe products + unsafeBitCast(half | signs, to: SIMD4<Double>.self)
      return _mm256_cvttpd_epi32(lifted)
    }

    @inline(__always)
    static func storeLowBytes(_ lanes: Vector, to pointer: UnsafeMutableRawPointer) {
      // The lowest byte of each lane, then the first of both halves side by side.
      let bytes = _mm256_set1_epi64x(0x0C08_0400)
      let order = _mm256_set_epi32(0, 0, 0, 0, 0, 0, 4, 0)
      let packed = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(lanes, bytes), order)
      unsafe pointer.storeBytes(
        of: _mm_cvtsi128_si64(_mm256_castsi256_si128(packed)), as: Int64.self)
    }
  }
#endif
