// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  internal import Microkernels
  internal import _Builtin_intrinsics.arm.neon

  /// Floats and bytes, four at a time.
  protocol ByteConversions128: Bytes128, ByteConversionInstructions
  where FloatVector == SIMD4<Float> {}

  extension ByteConversions128 {
    @inline(__always)
    static func truncate(_ value: FloatVector) -> Vector {
      // The instruction gives 0 for NaN and 2^31 − 1 for what is too large.
      vcvtq_s32_f32(value).replacing(with: .min, where: .!(value .< 0x1p31))
    }

    @inline(__always)
    static func convert(_ lanes: Vector) -> FloatVector { vcvtq_f32_s32(lanes) }

    @inline(__always)
    static func multiplyLanes(_ left: Vector, _ right: Vector) -> Vector { left &* right }

    @inline(__always)
    static func clampLanes(
      _ lanes: Vector, _ lowest: Vector, _ highest: Vector
    ) -> Vector {
      vminq_s32(vmaxq_s32(lanes, lowest), highest)
    }

    @inline(__always)
    static func loadLanes(_ pointer: UnsafeRawPointer, flip: Int8) -> Vector {
      let word = unsafe SIMD2(pointer.loadUnaligned(as: Int32.self), 0)
      let bytes = unsafe unsafeBitCast(word, to: SIMD8<Int8>.self) ^ SIMD8(repeating: flip)
      return vmovl_s16(vmovl_s8(bytes).lowHalf)
    }

    @inline(__always)
    static func roundedProducts(
      _ sums: UnsafeRawPointer, _ factors: UnsafeRawPointer
    ) -> Vector {
      unsafe Vector(
        lowHalf: roundedHalf(sums, factors), highHalf: roundedHalf(sums + 8, factors + 16))
    }

    @inline(__always)
    static func roundedHalf(
      _ sums: UnsafeRawPointer, _ factors: UnsafeRawPointer
    ) -> SIMD2<Int32> {
      let reals = unsafe vcvtq_f64_s64(vmovl_s32(sums.loadUnaligned(as: SIMD2<Int32>.self)))
      let products = unsafe reals * factors.loadUnaligned(as: SIMD2<Double>.self)
      let rounded = vrndaq_f64(products)
      let fits = (rounded .>= -0x1p31) .& (rounded .< 0x1p31)
      let lanes = SIMD2<Int64>(repeating: Int64(Int32.min))
        .replacing(with: vcvtq_s64_f64(rounded), where: fits)
      return vmovn_s64(lanes)
    }

    @inline(__always)
    static func storeLowBytes(_ lanes: Vector, to pointer: UnsafeMutableRawPointer) {
      let words = vmovn_s32(lanes)
      let bytes = vmovn_s16(SIMD8(lowHalf: words, highHalf: words))
      unsafe pointer.storeBytes(of: bytes.lowHalf, as: SIMD4<Int8>.self)
    }
  }
#endif
