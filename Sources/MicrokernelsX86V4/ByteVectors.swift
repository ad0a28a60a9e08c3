// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// 64 bytes; products by VNNI.
  protocol BytePrimitives: ByteConversionInstructions, ByteShuffleInstructions
  where Vector == __m512i, FloatVector == SIMD16<Float>, Scaling == EvenOddScaling<__m512i> {}

  extension BytePrimitives {
    @inline(__always)
    static var isWide: Bool { false }

    @inline(__always)
    static func loadWords(_ pointer: UnsafeRawPointer, areSigned: Bool) -> Vector {
      let bytes = unsafe pointer.loadUnaligned(as: __m256i.self)
      return areSigned ? _mm512_cvtepi8_epi16(bytes) : _mm512_cvtepu8_epi16(bytes)
    }

    @inline(__always)
    static func broadcast(_ word: Int32) -> Vector { _mm512_set1_epi32(word) }

    @inline(__always)
    static func add(_ left: Vector, _ right: Vector) -> Vector { _mm512_add_epi32(left, right) }

    @inline(__always)
    static func dot(_ sum: Vector, _ activations: Vector, _ weights: Vector) -> Vector {
      _mm512_dpbusd_epi32(sum, activations, weights)
    }

    @inline(__always)
    static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
      let mask: UInt64 = (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
      return unsafe _mm512_maskz_loadu_epi8(mask, pointer)
    }

    @inline(__always)
    static func storePrefix(
      _ vector: Vector, to pointer: UnsafeMutableRawPointer, count: Int
    ) {
      let mask: UInt64 = (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
      unsafe _mm512_mask_storeu_epi8(pointer, mask, vector)
    }

    @inline(__always)
    static func flip(_ vector: Vector, _ mask: Vector) -> Vector { _mm512_xor_si512(vector, mask) }

    @inline(__always)
    static func interleaveBytes(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm512_unpacklo_epi8(left, right), _mm512_unpackhi_epi8(left, right))
    }

    @inline(__always)
    static func interleaveWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm512_unpacklo_epi16(left, right), _mm512_unpackhi_epi16(left, right))
    }

    @inline(__always)
    static func scaling(_ table: UnsafeRawPointer, planeStride: Int) -> Scaling {
      let even = unsafe load(table)
      return unsafe (
        even: even, odd: _mm512_srli_epi64(even, 32), evenAddend: load(table + 2 &* planeStride),
        oddAddend: load(table + 3 &* planeStride), shift: load(table + planeStride),
        lift: load(table + 4 &* planeStride), sign: load(table + 5 &* planeStride)
      )
    }

    @inline(__always)
    static func scale(_ sum: Vector, _ scaling: Scaling, inSteps: Bool) -> Vector {
      let factor = inSteps ? _mm512_sllv_epi32(sum, scaling.lift) : sum
      let upper = _mm512_srli_epi64(factor, 32)
      let even = _mm512_add_epi64(_mm512_mul_epi32(factor, scaling.even), scaling.evenAddend)
      let odd = _mm512_add_epi64(_mm512_mul_epi32(upper, scaling.odd), scaling.oddAddend)
      var quantized = upperHalves(even, odd)
      if inSteps {
        quantized = _mm512_sub_epi32(quantized, _mm512_srlv_epi32(sum, scaling.sign))
      }
      return _mm512_srav_epi32(quantized, scaling.shift)
    }

    /// The upper halves of 64-bit lanes of both vectors by turns.
    @inline(__always)
    static func upperHalves(_ even: Vector, _ odd: Vector) -> Vector {
      _mm512_castps_si512(
        _mm512_mask_movehdup_ps(_mm512_castsi512_ps(odd), 0x5555, _mm512_castsi512_ps(even)))
    }

    @inline(__always)
    static func narrow(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
      // Each 128-bit lane holds four bytes of every vector: gather each vector's.
      let order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0)
      return _mm512_permutexvar_epi32(order, narrowInterleaved(a, b, c, d))
    }

    @inline(__always)
    static func narrowInterleaved(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
      _mm512_packs_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d))
    }

    @inline(__always)
    static func clampBytes(_ bytes: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
      _mm512_min_epi8(_mm512_max_epi8(bytes, lowest), highest)
    }
  }

  extension BytePrimitives {
    @inline(__always)
    static func subtract(_ left: Vector, _ right: Vector) -> Vector {
      _mm512_sub_epi32(left, right)
    }

    @inline(__always)
    static func shiftLeft(_ vector: Vector, by count: Int32) -> Vector {
      _mm512_sll_epi32(vector, _mm_cvtsi32_si128(count))
    }

    @inline(__always)
    static func shiftRight(_ vector: Vector, by count: Int32) -> Vector {
      _mm512_sra_epi32(vector, _mm_cvtsi32_si128(count))
    }

    @inline(__always)
    static func addWords(_ left: Vector, _ right: Vector) -> Vector {
      _mm512_add_epi16(left, right)
    }

    @inline(__always)
    static func subtractWords(_ left: Vector, _ right: Vector) -> Vector {
      _mm512_sub_epi16(left, right)
    }

    @inline(__always)
    static func highBytes(_ words: Vector) -> Vector { _mm512_srai_epi16(words, 8) }

    @inline(__always)
    static func multiplyWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm512_mullo_epi16(left, right), _mm512_mulhi_epi16(left, right))
    }

    @inline(__always)
    static func hasLess(
      _ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, _ mask: Vector, than limit: Vector
    ) -> Bool {
      let first = _mm512_min_epi32(_mm512_and_si512(a, mask), _mm512_and_si512(b, mask))
      let second = _mm512_min_epi32(_mm512_and_si512(c, mask), _mm512_and_si512(d, mask))
      return _mm512_movepi32_mask(_mm512_sub_epi32(_mm512_min_epi32(first, second), limit)) != 0
    }

    @inline(__always)
    static func dotWords(_ left: Vector, _ right: Vector) -> Vector {
      _mm512_madd_epi16(left, right)
    }
  }

  extension BytePrimitives {
    @inline(__always)
    static func loadLanes(_ pointer: UnsafeRawPointer) -> Vector {
      _mm512_broadcast_i32x4(unsafe pointer.loadUnaligned(as: __m128i.self))
    }

    @inline(__always)
    static func shuffle(_ table: Vector, _ indices: Vector) -> Vector {
      _mm512_shuffle_epi8(table, indices)
    }

    @inline(__always)
    static func lowBits(_ bytes: Vector) -> Vector {
      _mm512_and_si512(bytes, _mm512_set1_epi8(15))
    }

    @inline(__always)
    static func choose(_ clear: Vector, _ set: Vector, by bits: Vector) -> Vector {
      _mm512_mask_blend_epi8(_mm512_movepi8_mask(bits), clear, set)
    }
  }

  extension BytePrimitives {
    @inline(__always)
    static func truncate(_ value: FloatVector) -> Vector { _mm512_cvttps_epi32(value) }

    @inline(__always)
    static func convert(_ lanes: Vector) -> FloatVector { _mm512_cvtepi32_ps(lanes) }

    @inline(__always)
    static func multiplyLanes(_ left: Vector, _ right: Vector) -> Vector {
      _mm512_mullo_epi32(left, right)
    }

    @inline(__always)
    static func clampLanes(
      _ lanes: Vector, _ lowest: Vector, _ highest: Vector
    ) -> Vector {
      _mm512_min_epi32(_mm512_max_epi32(lanes, lowest), highest)
    }

    @inline(__always)
    static func loadLanes(_ pointer: UnsafeRawPointer, flip: Int8) -> Vector {
      let bytes = unsafe pointer.loadUnaligned(as: __m128i.self)
      return _mm512_cvtepi8_epi32(_mm_xor_si128(bytes, _mm_set1_epi8(flip)))
    }

    @inline(__always)
    static func roundedProducts(
      _ sums: UnsafeRawPointer, _ factors: UnsafeRawPointer
    ) -> Vector {
      unsafe Vector(
        lowHalf: roundedHalf(sums, factors), highHalf: roundedHalf(sums + 32, factors + 64))
    }

    @inline(__always)
    static func roundedHalf(
      _ sums: UnsafeRawPointer, _ factors: UnsafeRawPointer
    ) -> __m256i {
      let reals = unsafe _mm512_cvtepi32_pd(sums.loadUnaligned(as: __m256i.self))
      let products = unsafe reals * factors.loadUnaligned(as: SIMD8<Double>.self)
      let signs = unsafe unsafeBitCast(products, to: SIMD8<UInt64>.self) & 1 << 63
      let half = SIMD8<UInt64>(repeating: nearlyHalfOfDoubles.bitPattern)
      let lifted = unsafe products + unsafeBitCast(half | signs, to: SIMD8<Double>.self)
      return _mm512_cvttpd_epi32(lifted)
    }

    @inline(__always)
    static func storeLowBytes(_ lanes: Vector, to pointer: UnsafeMutableRawPointer) {
      unsafe pointer.storeBytes(of: _mm512_cvtepi32_epi8(lanes), as: __m128i.self)
    }
  }
#endif
