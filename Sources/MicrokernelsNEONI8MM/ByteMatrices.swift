// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  internal import Microkernels
  internal import _Builtin_intrinsics.arm.neon

  /// Products of matrices of signed bytes, by `SMMLA`.
  extension BytePrimitives {
    @inline(__always)
    static var multipliesMatrices: Bool { true }

    @inline(__always)
    static func multiplyMatrices(
      _ sums: Vector, _ rows: Vector, _ columns: Vector
    ) -> Vector {
      vmmlaq_s32(sums, bytes(rows), bytes(columns))
    }
  }
#endif
