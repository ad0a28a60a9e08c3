// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  internal import Microkernels
  internal import _Builtin_intrinsics.arm.neon

  /// Words and 32-bit lanes of 16 bytes.
  protocol ByteLanes128: Bytes128, ByteLaneInstructions {}

  extension ByteLanes128 {
    @inline(__always)
    static func subtract(_ left: Vector, _ right: Vector) -> Vector { left &- right }

    @inline(__always)
    static func shiftLeft(_ vector: Vector, by count: Int32) -> Vector {
      vshlq_s32(vector, broadcast(count))
    }

    @inline(__always)
    static func shiftRight(_ vector: Vector, by count: Int32) -> Vector {
      vshlq_s32(vector, broadcast(0 &- count))
    }

    @inline(__always)
    static func addWords(_ left: Vector, _ right: Vector) -> Vector {
      vector(words(left) &+ words(right))
    }

    @inline(__always)
    static func addBytes(_ bytes: Vector, to words: Vector) -> (low: Vector, high: Vector) {
      let (bytes, words) = (Self.bytes(bytes), Self.words(words))
      return (vector(vaddw_s8(words, bytes.lowHalf)), vector(vaddw_high_s8(words, bytes)))
    }

    @inline(__always)
    static func highBytes(_ words: Vector) -> Vector {
      vector(vshlq_s16(Self.words(words), SIMD8(repeating: -8)))
    }

    @inline(__always)
    static func multiplyWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      let products = products(left, right)
      let (low, high) = (words(products.low), words(products.high))
      return (vector(vuzp1q_s16(low, high)), vector(vuzp2q_s16(low, high)))
    }

    @inline(__always)
    static func hasLess(
      _ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, _ mask: Vector, than limit: Vector
    ) -> Bool {
      let first = vminq_s32(a & mask, b & mask)
      let second = vminq_s32(c & mask, d & mask)
      return vmaxvq_u32(vcltq_s32(vminq_s32(first, second), limit)) != 0
    }

    @inline(__always)
    static func dotWords(_ left: Vector, _ right: Vector) -> Vector {
      let products = products(left, right)
      return vpaddq_s32(products.low, products.high)
    }

    @inline(__always)
    static func estimates(
      _ left: Vector, _ right: Vector, _ terms: ByteEstimateVectors<Self>
    ) -> InlineArray<4, Vector> {
      let (a, b) = (lanes(left), lanes(right))
      let constant = shiftLeft(terms.addend, by: 8)
      return InlineArray { constant &+ a[$0] &* terms.first &+ b[$0] &* terms.second }
    }

    /// Signed bytes as 32-bit lanes.
    @inline(__always)
    static func lanes(_ values: Vector) -> InlineArray<4, Vector> {
      let low = vmovl_s8(bytes(values).lowHalf)
      let high = vmovl_high_s8(bytes(values))
      return [
        vmovl_s16(low.lowHalf), vmovl_high_s16(low), vmovl_s16(high.lowHalf), vmovl_high_s16(high),
      ]
    }

    @inline(__always)
    static func products(
      _ left: (low: Vector, high: Vector), _ right: (low: Vector, high: Vector)
    ) -> InlineArray<4, Vector> {
      let (low, high) = (products(left.low, right.low), products(left.high, right.high))
      return [low.low, low.high, high.low, high.high]
    }

    /// The products of the words of both halves.
    @inline(__always)
    static func products(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      let (left, right) = (words(left), words(right))
      return (vmull_s16(left.lowHalf, right.lowHalf), vmull_high_s16(left, right))
    }
  }
#endif
