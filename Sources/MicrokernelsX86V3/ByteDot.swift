// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// Products of 16-bit words.
  extension BytePrimitives {
    @inline(__always)
    static var isWide: Bool { true }

    @inline(__always)
    static func dot(_ sum: Vector, _ activations: Vector, _ weights: Vector) -> Vector {
      _mm256_add_epi32(sum, _mm256_madd_epi16(activations, weights))
    }
  }
#endif
