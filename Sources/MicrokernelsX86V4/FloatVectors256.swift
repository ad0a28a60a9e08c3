// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// Eight floats, for products of few columns: twice as many at a time as of longer vectors, half
  /// of which would be idle.
  protocol NarrowFloatPrimitives: FloatProductInstructions where Vector == SIMD8<Float> {}

  extension NarrowFloatPrimitives {
    @inline(__always)
    static func broadcast(_ value: Float) -> Vector { Vector(repeating: value) }

    @inline(__always)
    static func multiplyAdd(_ sum: Vector, _ left: Vector, _ right: Vector) -> Vector {
      sum.addingProduct(left, right)
    }

    @inline(__always)
    static func clamp(_ value: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
      // Both return their second operand where one is NaN.
      _mm256_min_ps(highest, _mm256_max_ps(lowest, value))
    }

    @inline(__always)
    static func storePrefix(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int) {
      let mask = UInt8(truncatingIfNeeded: (1 &<< UInt32(truncatingIfNeeded: count)) &- 1)
      unsafe _mm256_mask_storeu_ps(pointer, mask, value)
    }
  }
#endif
