// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// What AVX-VNNI computes, from products of the even and of the odd bytes as 16-bit words.
  extension BytePrimitives {
    @inline(__always)
    static var isWide: Bool { false }

    @inline(__always)
    static func dot(_ sum: Vector, _ activations: Vector, _ weights: Vector) -> Vector {
      let even = _mm256_madd_epi16(
        _mm256_and_si256(activations, _mm256_set1_epi16(0xFF)),
        _mm256_srai_epi16(_mm256_slli_epi16(weights, 8), 8))
      let odd = _mm256_madd_epi16(
        _mm256_srli_epi16(activations, 8), _mm256_srai_epi16(weights, 8))
      return _mm256_add_epi32(sum, _mm256_add_epi32(even, odd))
    }
  }
#endif
