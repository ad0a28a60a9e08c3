// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// 16 bytes; products of 16-bit words, by SSE2.
  protocol BytePrimitives: ByteConversionInstructions, ByteWordInstructions
  where Vector == __m128i, FloatVector == __m128, Scaling == EstimatedScaling {}

  extension BytePrimitives {
    @inline(__always)
    static var isWide: Bool { true }

    @inline(__always)
    static func broadcast(_ word: Int32) -> Vector { _mm_set1_epi32(word) }

    @inline(__always)
    static func add(_ left: Vector, _ right: Vector) -> Vector { _mm_add_epi32(left, right) }

    @inline(__always)
    static func dot(_ sum: Vector, _ activations: Vector, _ weights: Vector) -> Vector {
      _mm_add_epi32(sum, _mm_madd_epi16(activations, weights))
    }

    @inline(__always)
    static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
      unsafe copyPrefix(pointer, count: count)
    }

    @inline(__always)
    static func loadWords(_ pointer: UnsafeRawPointer, areSigned: Bool) -> Vector {
      let bytes = _mm_cvtsi64_si128(unsafe pointer.loadUnaligned(as: Int64.self))
      return areSigned
        ? _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8)
        : _mm_unpacklo_epi8(bytes, _mm_setzero_si128())
    }

    @inline(__always)
    static func flip(_ vector: Vector, _ mask: Vector) -> Vector { _mm_xor_si128(vector, mask) }

    @inline(__always)
    static func interleaveBytes(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm_unpacklo_epi8(left, right), _mm_unpackhi_epi8(left, right))
    }

    @inline(__always)
    static func interleaveWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm_unpacklo_epi16(left, right), _mm_unpackhi_epi16(left, right))
    }

    @inline(__always)
    static func narrow(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
      _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d))
    }

    @inline(__always)
    static func narrowInterleaved(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
      narrow(a, b, c, d)
    }

    @inline(__always)
    static func clampBytes(_ bytes: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
      // SSE2 compares only unsigned bytes.
      let flip = broadcast(byte: 0x80)
      let raised = _mm_max_epu8(_mm_xor_si128(bytes, flip), _mm_xor_si128(lowest, flip))
      return _mm_xor_si128(_mm_min_epu8(raised, _mm_xor_si128(highest, flip)), flip)
    }
  }

  extension BytePrimitives {
    @inline(__always)
    static func storeByTurns(
      _ vector: Vector, _ even: UnsafeMutableRawPointer, _ odd: UnsafeMutableRawPointer
    ) {
      unsafe even.storeBytes(of: vector[0], as: Int64.self)
      unsafe odd.storeBytes(of: vector[1], as: Int64.self)
    }
  }

  extension BytePrimitives {
    @inline(__always)
    static func subtract(_ left: Vector, _ right: Vector) -> Vector {
      _mm_sub_epi32(left, right)
    }

    @inline(__always)
    static func shiftLeft(_ vector: Vector, by count: Int32) -> Vector {
      _mm_sll_epi32(vector, _mm_cvtsi32_si128(count))
    }

    @inline(__always)
    static func shiftRight(_ vector: Vector, by count: Int32) -> Vector {
      _mm_sra_epi32(vector, _mm_cvtsi32_si128(count))
    }

    @inline(__always)
    static func addWords(_ left: Vector, _ right: Vector) -> Vector {
      _mm_add_epi16(left, right)
    }

    @inline(__always)
    static func subtractWords(_ left: Vector, _ right: Vector) -> Vector {
      _mm_sub_epi16(left, right)
    }

    @inline(__always)
    static func highBytes(_ words: Vector) -> Vector { _mm_srai_epi16(words, 8) }

    @inline(__always)
    static func multiplyWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (_mm_mullo_epi16(left, right), _mm_mulhi_epi16(left, right))
    }

    @inline(__always)
    static func hasLess(
      _ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, _ mask: Vector, than limit: Vector
    ) -> Bool {
      let first = _mm_or_si128(
        _mm_cmplt_epi32(_mm_and_si128(a, mask), limit),
        _mm_cmplt_epi32(_mm_and_si128(b, mask), limit))
      let second = _mm_or_si128(
        _mm_cmplt_epi32(_mm_and_si128(c, mask), limit),
        _mm_cmplt_epi32(_mm_and_si128(d, mask), limit))
      return _mm_movemask_epi8(_mm_or_si128(first, second)) != 0
    }

    @inline(__always)
    static func dotWords(_ left: Vector, _ right: Vector) -> Vector {
      _mm_madd_epi16(left, right)
    }
  }
#endif
