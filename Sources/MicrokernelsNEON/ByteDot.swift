// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  internal import Microkernels
  internal import _Builtin_intrinsics.arm.neon

  /// Products of 16-bit words, each half of a vector's with a word of its own.
  extension BytePrimitives {
    @inline(__always)
    static var isWide: Bool { true }

    @inline(__always)
    static var pairOrder: WordPairOrder { .apart }

    @inline(__always)
    static func dot(_ sum: Vector, _ activations: Vector, _ weights: Vector) -> Vector {
      let (left, right) = (words(activations), words(weights))
      return vmlal_s16(
        vmlal_s16(sum, right.lowHalf, left.lowHalf), right.highHalf, left.highHalf)
    }

    @inline(__always)
    static func dot(_ sum: Vector, _ row: Vector, word: Int, _ weights: Vector) -> Vector {
      let (left, right) = (words(row), words(weights))
      let first = vmlal_s16(sum, right.lowHalf, SIMD4(repeating: left[2 &* word]))
      return vmlal_s16(first, right.highHalf, SIMD4(repeating: left[2 &* word &+ 1]))
    }

    @inline(__always)
    static func activations(_ word: Int32) -> Vector {
      vector(
        SIMD8(
          lowHalf: SIMD4(repeating: Int16(truncatingIfNeeded: word)),
          highHalf: SIMD4(repeating: Int16(truncatingIfNeeded: word &>> 16))))
    }
  }
#endif
