// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// Eight floats, as products take them.
  protocol Floats256: FloatProductInstructions where Vector == SIMD8<Float> {}

  extension Floats256 {
    @inline(__always)
    static func multiplyAdd(_ sum: Vector, _ left: Vector, _ right: Vector) -> Vector {
      // `addingProduct` is compiled lane by lane, which long functions remain.
      _mm256_fmadd_ps(left, right, sum)
    }

    @inline(__always)
    static func clamp(_ value: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
      // Both return their second operand where one is NaN.
      _mm256_min_ps(highest, _mm256_max_ps(lowest, value))
    }
  }
#endif
