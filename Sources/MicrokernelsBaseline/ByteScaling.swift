// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// What scales four sums: factors, addends and what negative sums lose, as floats; where the
  /// constants of the exact formula are.
  ///
  /// A tuple: a named type would bring weak symbols along in debug builds.
  typealias EstimatedScaling = (
    factor: __m128, addend: __m128, sign: __m128, place: ByteTablePlace
  )

  /// SSE2 has neither signed 32-bit products nor a shift per lane: floats estimate what `ByteFinish`
  /// rounds down. Where an estimate might lie on the other side of a whole number, sums are scaled
  /// exactly.
  extension BytePrimitives where Scaling == EstimatedScaling {
    @inline(__always)
    static func scaling(_ table: UnsafeRawPointer, planeStride: Int) -> Scaling {
      unsafe (
        factor: (table + 7 &* planeStride).loadUnaligned(as: __m128.self),
        addend: (table + 8 &* planeStride).loadUnaligned(as: __m128.self),
        sign: (table + 9 &* planeStride).loadUnaligned(as: __m128.self),
        place: ByteTablePlace(table, planeStride: planeStride)
      )
    }

    @inline(__always)
    static func scale(_ sum: Vector, _ scaling: Scaling, inSteps: Bool) -> Vector {
      let (value, distance) = estimate(sum, scaling, inSteps: inSteps)
      return isCertain(distance) ? value : exactlyScaled(sum, scaling, inSteps: inSteps)
    }

    @inline(__always)
    static func scale(
      _ sums: InlineArray<4, Vector>, _ scalings: InlineArray<4, Scaling>, inSteps: Bool,
      rounding: Bool
    ) -> InlineArray<4, Vector> {
      let (a, first) = estimate(sums[0], scalings[0], inSteps: inSteps)
      let (b, second) = estimate(sums[1], scalings[1], inSteps: inSteps)
      let (c, third) = estimate(sums[2], scalings[2], inSteps: inSteps)
      let (d, fourth) = estimate(sums[3], scalings[3], inSteps: inSteps)
      if isCertain(_mm_max_ps(_mm_max_ps(first, second), _mm_max_ps(third, fourth))) {
        return [a, b, c, d]
      }
      return [
        exactlyScaled(sums[0], scalings[0], inSteps: inSteps),
        exactlyScaled(sums[1], scalings[1], inSteps: inSteps),
        exactlyScaled(sums[2], scalings[2], inSteps: inSteps),
        exactlyScaled(sums[3], scalings[3], inSteps: inSteps),
      ]
    }

    /// The whole numbers nearest to estimates, and how far they are from these.
    @inline(__always)
    private static func estimate(
      _ sum: Vector, _ scaling: Scaling, inSteps: Bool
    ) -> (value: Vector, distance: __m128) {
      var real = _mm_add_ps(_mm_mul_ps(_mm_cvtepi32_ps(sum), scaling.factor), scaling.addend)
      if inSteps {
        let isNegative = _mm_castsi128_ps(_mm_srai_epi32(sum, 31))
        real = _mm_sub_ps(real, _mm_and_ps(isNegative, scaling.sign))
      }
      let value = _mm_cvtps_epi32(real)
      let magnitude = _mm_castsi128_ps(_mm_set1_epi32(0x7FFF_FFFF))
      return (value, _mm_and_ps(_mm_sub_ps(real, _mm_cvtepi32_ps(value)), magnitude))
    }

    /// Whether the nearest whole numbers are those of the exact values as well.
    ///
    /// Of values up to 512 in magnitude, whose terms are at most 1,024, roundings of sum, factor,
    /// product, addend and their sum make up less than 2^-11; greater ones saturate either way.
    @inline(__always)
    private static func isCertain(_ distance: __m128) -> Bool {
      _mm_movemask_ps(_mm_cmpgt_ps(distance, _mm_set1_ps(0.5 - 0x1p-11))) == 0
    }

    @inline(__always)
    private static func exactlyScaled(
      _ sum: Vector, _ scaling: Scaling, inSteps: Bool
    ) -> Vector {
      let constants = unsafe portableScaling(
        scaling.place.first, planeStride: scaling.place.planeStride)
      let sums = unsafe unsafeBitCast(sum, to: SIMD4<Int32>.self)
      return unsafe unsafeBitCast(
        portablyScaled(sums, constants, inSteps: inSteps), to: Vector.self)
    }
  }
#endif
