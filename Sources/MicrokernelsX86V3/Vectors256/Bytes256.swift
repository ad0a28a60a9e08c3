// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// 32 bytes: what is the same on each level that has them.
  protocol Bytes256: ByteInstructions
  where Vector == __m256i, Scaling == EvenOddScaling<__m256i> {
    /// The upper halves of 64-bit lanes of both vectors by turns.
    static func upperHalves(_ even: Vector, _ odd: Vector) -> Vector
  }

  extension Bytes256 {
    @inline(__always)
    static func broadcast(_ word: Int32) -> Vector { _mm256_set1_epi32(word) }

    @inline(__always)
    static func add(_ left: Vector, _ right: Vector) -> Vector { _mm256_add_epi32(left, right) }

    @inline(__always)
    static func loadWords(_ pointer: UnsafeRawPointer, areSigned: Bool) -> Vector {
      let bytes = unsafe pointer.loadUnaligned(as: __m128i.self)
      return areSigned ? _mm256_cvtepi8_epi16(bytes) : _mm256_cvtepu8_epi16(bytes)
    }

    @inline(__always)
    static func subtractWords(_ left: Vector, _ right: Vector) -> Vector {
      _mm256_sub_epi16(left, right)
    }

    @inline(__always)
    static func flip(_ vector: Vector, _ mask: Vector) -> Vector { _mm256_xor_si256(vector, mask) }

    @inline(__always)
    static func interleaveBytes(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm256_unpacklo_epi8(left, right), _mm256_unpackhi_epi8(left, right))
    }

    @inline(__always)
    static func interleaveWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm256_unpacklo_epi16(left, right), _mm256_unpackhi_epi16(left, right))
    }

    @inline(__always)
    static func scaling(_ table: UnsafeRawPointer, planeStride: Int) -> Scaling {
      let even = unsafe load(table)
      return unsafe (
        even: even, odd: oddLanes(even), evenAddend: load(table + 2 &* planeStride),
        oddAddend: load(table + 3 &* planeStride), shift: load(table + planeStride),
        lift: load(table + 4 &* planeStride), sign: load(table + 5 &* planeStride)
      )
    }

    /// Odd lanes in the even ones' place: not by a shift, out of which the compiler makes products
    /// of 64 bits.
    @inline(__always)
    static func oddLanes(_ vector: Vector) -> Vector {
      _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(vector)))
    }

    @inline(__always)
    static func scale(_ sum: Vector, _ scaling: Scaling, inSteps: Bool) -> Vector {
      let factor = inSteps ? _mm256_sllv_epi32(sum, scaling.lift) : sum
      let upper = oddLanes(factor)
      let even = _mm256_add_epi64(_mm256_mul_epi32(factor, scaling.even), scaling.evenAddend)
      let odd = _mm256_add_epi64(_mm256_mul_epi32(upper, scaling.odd), scaling.oddAddend)
      var quantized = upperHalves(even, odd)
      if inSteps {
        quantized = _mm256_sub_epi32(quantized, _mm256_srlv_epi32(sum, scaling.sign))
      }
      return _mm256_srav_epi32(quantized, scaling.shift)
    }

    @inline(__always)
    static func narrow(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
      // Each 128-bit lane holds four bytes of every vector: gather each vector's.
      let order = _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0)
      return _mm256_permutevar8x32_epi32(narrowInterleaved(a, b, c, d), order)
    }

    @inline(__always)
    static func narrowInterleaved(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
      _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d))
    }

    @inline(__always)
    static func clampBytes(_ bytes: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
      _mm256_min_epi8(_mm256_max_epi8(bytes, lowest), highest)
    }
  }
#endif
