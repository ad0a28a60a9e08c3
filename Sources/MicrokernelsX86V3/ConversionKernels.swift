// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// Turns floats into codes, 8 at a time.
  func quantizeByVectors(_ run: ByteConversion) {
    let scale = unsafe _mm256_set1_ps(run.scale)
    let sign = _mm256_set1_epi32(.min)
    let half = _mm256_set1_epi32(Int32(bitPattern: nearlyHalf.bitPattern))
    let zeroPoint = unsafe _mm256_set1_epi32(run.zeroPoint)
    let lowest = _mm256_set1_epi32(unsafe run.isSigned ? -128 : 0)
    let highest = _mm256_set1_epi32(unsafe run.isSigned ? 127 : 255)
    // The lowest byte of each lane, then the first of both halves side by side.
    let bytes = _mm256_set1_epi64x(0x0C08_0400)
    let order = _mm256_set_epi32(0, 0, 0, 0, 0, 0, 4, 0)
    var start = 0
    while unsafe start &+ 8 <= run.count {
      let values = unsafe (run.input + start &* 4).loadUnaligned(as: __m256.self)
      let quotients = _mm256_div_ps(values, scale)
      let halves = _mm256_or_si256(
        _mm256_and_si256(_mm256_castps_si256(quotients), sign), half)
      let steps = _mm256_cvttps_epi32(_mm256_add_ps(quotients, _mm256_castsi256_ps(halves)))
      let codes = _mm256_min_epi32(
        _mm256_max_epi32(_mm256_add_epi32(steps, zeroPoint), lowest), highest)
      let packed = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(codes, bytes), order)
      unsafe run.output.storeBytes(
        of: _mm_cvtsi128_si64(_mm256_castsi256_si128(packed)), toByteOffset: start, as: Int64.self)
      start &+= 8
    }
    unsafe quantizeBytes(run, from: start)
  }

  /// Turns codes into floats, 8 at a time.
  func dequantizeByVectors(_ run: ByteConversion) {
    let scale = unsafe _mm256_set1_ps(run.scale)
    let flip = _mm_set1_epi8(unsafe run.isSigned ? 0 : -128)
    let zeroPoint = _mm256_set1_epi32(unsafe run.zeroPoint &- (run.isSigned ? 0 : 128))
    var start = 0
    while unsafe start &+ 8 <= run.count {
      let codes = _mm_cvtsi64_si128(
        unsafe (run.input + start).loadUnaligned(as: Int64.self))
      let steps = _mm256_sub_epi32(
        _mm256_cvtepi8_epi32(_mm_xor_si128(codes, flip)), zeroPoint)
      unsafe run.output.storeBytes(
        of: _mm256_mul_ps(_mm256_cvtepi32_ps(steps), scale), toByteOffset: start &* 4,
        as: __m256.self)
      start &+= 8
    }
    unsafe dequantizeBytes(run, from: start)
  }
#endif
