// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// 32 bytes; products by VNNI.
  protocol BytePrimitives256: Bytes256 {}

  extension BytePrimitives256 {
    @inline(__always)
    static var isWide: Bool { false }

    @inline(__always)
    static func dot(_ sum: Vector, _ activations: Vector, _ weights: Vector) -> Vector {
      // With all lanes selected this is the plain form, which is a macro that Swift cannot see.
      _mm256_mask_dpbusd_epi32(sum, 0xFF, activations, weights)
    }

    @inline(__always)
    static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
      let mask: UInt32 = (1 &<< UInt32(truncatingIfNeeded: count)) &- 1
      return unsafe _mm256_maskz_loadu_epi8(mask, pointer)
    }

    @inline(__always)
    static func upperHalves(_ even: Vector, _ odd: Vector) -> Vector {
      _mm256_castps_si256(
        _mm256_mask_movehdup_ps(_mm256_castsi256_ps(odd), 0x55, _mm256_castsi256_ps(even)))
    }
  }
#endif
