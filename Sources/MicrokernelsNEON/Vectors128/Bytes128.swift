// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  internal import Microkernels
  internal import _Builtin_intrinsics.arm.neon

  /// 16 bytes: what is the same on each level.
  protocol Bytes128: ByteWordInstructions
  where Vector == SIMD4<Int32>, Scaling == HalvesScaling {}

  /// What scales four sums: significands, what is added to the 64-bit products of both halves, or to
  /// rounded ones, and shifts, which are negative to the right; those of the steps that come before
  /// and after.
  ///
  /// A tuple: a named type would bring weak symbols along in debug builds.
  typealias HalvesScaling = (
    significand: SIMD4<Int32>, lowAddend: SIMD2<Int64>, highAddend: SIMD2<Int64>,
    roundedAddend: SIMD4<Int32>, shift: SIMD4<Int32>, lift: SIMD4<Int32>, sign: SIMD4<Int32>
  )

  extension Bytes128 {
    @inline(__always)
    static func words(_ vector: Vector) -> SIMD8<Int16> {
      unsafe unsafeBitCast(vector, to: SIMD8<Int16>.self)
    }

    @inline(__always)
    static func vector(_ words: SIMD8<Int16>) -> Vector {
      unsafe unsafeBitCast(words, to: Vector.self)
    }

    @inline(__always)
    static func bytes(_ vector: Vector) -> SIMD16<Int8> {
      unsafe unsafeBitCast(vector, to: SIMD16<Int8>.self)
    }

    @inline(__always)
    static func vector(_ bytes: SIMD16<Int8>) -> Vector {
      unsafe unsafeBitCast(bytes, to: Vector.self)
    }
  }

  extension Bytes128 {
    @inline(__always)
    static var multipliesByLane: Bool { true }

    @inline(__always)
    static func broadcast(_ word: Int32) -> Vector { Vector(repeating: word) }

    @inline(__always)
    static func add(_ left: Vector, _ right: Vector) -> Vector { left &+ right }

    @inline(__always)
    static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
      unsafe copyPrefix(pointer, count: count)
    }

    @inline(__always)
    static func loadWords(_ pointer: UnsafeRawPointer, areSigned: Bool) -> Vector {
      areSigned
        ? vector(vmovl_s8(unsafe pointer.loadUnaligned(as: SIMD8<Int8>.self)))
        : unsafe unsafeBitCast(
          vmovl_u8(pointer.loadUnaligned(as: SIMD8<UInt8>.self)), to: Vector.self)
    }

    @inline(__always)
    static func subtractWords(_ left: Vector, _ right: Vector) -> Vector {
      vector(words(left) &- words(right))
    }

    @inline(__always)
    static func flip(_ vector: Vector, _ mask: Vector) -> Vector { vector ^ mask }

    @inline(__always)
    static func interleaveBytes(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      let (left, right) = (bytes(left), bytes(right))
      return (vector(vzip1q_s8(left, right)), vector(vzip2q_s8(left, right)))
    }

    @inline(__always)
    static func interleaveWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      let (left, right) = (words(left), words(right))
      return (vector(vzip1q_s16(left, right)), vector(vzip2q_s16(left, right)))
    }

    @inline(__always)
    static func halves(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      (
        Vector(lowHalf: left.lowHalf, highHalf: right.lowHalf),
        Vector(lowHalf: left.highHalf, highHalf: right.highHalf)
      )
    }

    @inline(__always)
    static func pairs(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
      halves(left, right)
    }

    @inline(__always)
    static func storeByTurns(
      _ vector: Vector, _ even: UnsafeMutableRawPointer, _ odd: UnsafeMutableRawPointer
    ) {
      unsafe even.storeBytes(of: vector.lowHalf, as: SIMD2<Int32>.self)
      unsafe odd.storeBytes(of: vector.highHalf, as: SIMD2<Int32>.self)
    }
  }

  extension Bytes128 {
    @inline(__always)
    static func scaling(_ table: UnsafeRawPointer, planeStride: Int) -> Scaling {
      // The table has the addends of even columns, then of odd ones.
      let even = unsafe (table + 2 &* planeStride).loadUnaligned(as: SIMD2<Int64>.self)
      let odd = unsafe (table + 3 &* planeStride).loadUnaligned(as: SIMD2<Int64>.self)
      return unsafe (
        significand: load(table), lowAddend: vzip1q_s64(even, odd),
        highAddend: vzip2q_s64(even, odd), roundedAddend: load(table + 6 &* planeStride),
        shift: 0 &- load(table + planeStride), lift: load(table + 4 &* planeStride),
        sign: 0 &- load(table + 5 &* planeStride)
      )
    }

    @inline(__always)
    static func scale(_ sum: Vector, _ scaling: Scaling, inSteps: Bool) -> Vector {
      let factor = inSteps ? vshlq_s32(sum, scaling.lift) : sum
      let low = vmlal_s32(scaling.lowAddend, factor.lowHalf, scaling.significand.lowHalf)
      let high = vmlal_high_s32(scaling.highAddend, factor, scaling.significand)
      var quantized = unsafe vuzp2q_s32(
        unsafeBitCast(low, to: Vector.self), unsafeBitCast(high, to: Vector.self))
      if inSteps { quantized &-= signs(sum, scaling) }
      return vshlq_s32(quantized, scaling.shift)
    }

    @inline(__always)
    static var roundsProducts: Bool { true }

    @inline(__always)
    static func scaleRounding(_ sum: Vector, _ scaling: Scaling, inSteps: Bool) -> Vector {
      var rounded = vqrdmulhq_s32(sum, scaling.significand)
      // Steps round halves away from zero here; the table's shifts are one less without them.
      if inSteps { rounded &+= rounded &>> 31 }
      return vshlq_s32(
        rounded &+ scaling.roundedAddend, inSteps ? scaling.shift : scaling.shift &- 1)
    }

    /// What is subtracted so that halves are rounded away from zero.
    @inline(__always)
    static func signs(_ sum: Vector, _ scaling: Scaling) -> Vector {
      unsafe unsafeBitCast(
        vshlq_u32(unsafeBitCast(sum, to: SIMD4<UInt32>.self), scaling.sign), to: Vector.self)
    }

    @inline(__always)
    static func narrow(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
      let low = vqmovn_high_s32(vqmovn_s32(a), b)
      let high = vqmovn_high_s32(vqmovn_s32(c), d)
      return vector(vqmovn_high_s16(vqmovn_s16(low), high))
    }

    @inline(__always)
    static func narrowInterleaved(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
      narrow(a, b, c, d)
    }

    @inline(__always)
    static func clampBytes(_ bytes: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
      let raised = vmaxq_s8(Self.bytes(bytes), Self.bytes(lowest))
      return vector(vminq_s8(raised, Self.bytes(highest)))
    }
  }
#endif
