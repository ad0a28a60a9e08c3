// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  internal import Microkernels
  internal import _Builtin_intrinsics.arm.neon

  /// Products of signed bytes, by `SDOT`.
  extension BytePrimitives {
    @inline(__always)
    static var isWide: Bool { false }

    @inline(__always)
    static var signsActivations: Bool { true }

    @inline(__always)
    static func dot(_ sum: Vector, _ activations: Vector, _ weights: Vector) -> Vector {
      vdotq_s32(sum, bytes(weights), bytes(activations))
    }

    @inline(__always)
    static func dot(_ sum: Vector, _ row: Vector, word: Int, _ weights: Vector) -> Vector {
      dot(sum, broadcast(row[word]), weights)
    }
  }
#endif
