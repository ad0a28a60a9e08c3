// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  package import Microkernels
  internal import _Builtin_intrinsics.intel

  /// Replaces bytes by a table's with AVX-512's permutations of 128 bytes: call it on no processor
  /// without VBMI.
  package func permuteBytes(_ task: ByteLookup) {
    let first = unsafe entries(task, 0)
    let second = unsafe entries(task, 64)
    let third = unsafe entries(task, 128)
    let fourth = unsafe entries(task, 192)
    var start = 0
    while unsafe start &+ 64 <= task.count {
      let values = unsafe (task.input + start).loadUnaligned(as: __m512i.self)
      let results = _mm512_mask_blend_epi8(
        _mm512_movepi8_mask(values), _mm512_permutex2var_epi8(first, values, second),
        _mm512_permutex2var_epi8(third, values, fourth))
      unsafe task.output.storeBytes(of: results, toByteOffset: start, as: __m512i.self)
      start &+= 64
    }
    unsafe lookUpBytes(task, from: start)
  }

  @inline(__always)
  private func entries(_ task: ByteLookup, _ offset: Int) -> __m512i {
    unsafe (task.table + offset).loadUnaligned(as: __m512i.self)
  }
#endif
