// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// Turns floats into codes, 16 at a time.
  func quantizeByVectors(_ run: ByteConversion) {
    let scale = unsafe _mm512_set1_ps(run.scale)
    let sign = _mm512_set1_epi32(.min)
    let half = _mm512_set1_epi32(Int32(bitPattern: nearlyHalf.bitPattern))
    let zeroPoint = unsafe _mm512_set1_epi32(run.zeroPoint)
    let lowest = _mm512_set1_epi32(unsafe run.isSigned ? -128 : 0)
    let highest = _mm512_set1_epi32(unsafe run.isSigned ? 127 : 255)
    var start = 0
    while unsafe start &+ 16 <= run.count {
      let values = unsafe (run.input + start &* 4).loadUnaligned(as: __m512.self)
      let quotients = _mm512_div_ps(values, scale)
      let halves = _mm512_or_si512(
        _mm512_and_si512(_mm512_castps_si512(quotients), sign), half)
      let steps = _mm512_cvttps_epi32(_mm512_add_ps(quotients, _mm512_castsi512_ps(halves)))
      let codes = _mm512_min_epi32(
        _mm512_max_epi32(_mm512_add_epi32(steps, zeroPoint), lowest), highest)
      unsafe run.output.storeBytes(
        of: _mm512_cvtepi32_epi8(codes), toByteOffset: start, as: __m128i.self)
      start &+= 16
    }
    unsafe quantizeBytes(run, from: start)
  }

  /// Turns codes into floats, 16 at a time.
  func dequantizeByVectors(_ run: ByteConversion) {
    let scale = unsafe _mm512_set1_ps(run.scale)
    let flip = _mm_set1_epi8(unsafe run.isSigned ? 0 : -128)
    let zeroPoint = _mm512_set1_epi32(unsafe run.zeroPoint &- (run.isSigned ? 0 : 128))
    var start = 0
    while unsafe start &+ 16 <= run.count {
      let codes = unsafe (run.input + start).loadUnaligned(as: __m128i.self)
      let steps = _mm512_sub_epi32(
        _mm512_cvtepi8_epi32(_mm_xor_si128(codes, flip)), zeroPoint)
      unsafe run.output.storeBytes(
        of: _mm512_mul_ps(_mm512_cvtepi32_ps(steps), scale), toByteOffset: start &* 4,
        as: __m512.self)
      start &+= 16
    }
    unsafe dequantizeBytes(run, from: start)
  }
#endif
