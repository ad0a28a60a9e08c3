// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// Eight floats, for products of few columns: twice as many at a time as of longer vectors, half
  /// of which would be idle.
  protocol NarrowFloatPrimitives: Floats256 {}

  extension NarrowFloatPrimitives {
    @inline(__always)
    static func broadcast(_ value: Float) -> Vector { Vector(repeating: value) }

    @inline(__always)
    static func storePrefix(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int) {
      let mask = UInt8(truncatingIfNeeded: (1 &<< UInt32(truncatingIfNeeded: count)) &- 1)
      unsafe _mm256_mask_storeu_ps(pointer, mask, value)
    }
  }
#endif
