// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// Products of bytes by AVX-VNNI.
  extension BytePrimitives {
    @inline(__always)
    static var isWide: Bool { false }

    @inline(__always)
    static func dot(_ sum: Vector, _ activations: Vector, _ weights: Vector) -> Vector {
      _mm256_dpbusd_avx_epi32(sum, activations, weights)
    }
  }
#endif
