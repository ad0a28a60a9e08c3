// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  internal import Microkernels
  internal import _Builtin_intrinsics.arm.neon

  /// Replaces bytes by a table's, which 16 registers hold: `TBL` finds the entries of the first
  /// quarter and gives 0 for other indices, `TBX` leaves what it does not find.
  func lookUpInRegisters(_ task: ByteLookup) {
    let first = unsafe quarter(task, 0)
    let second = unsafe quarter(task, 64)
    let third = unsafe quarter(task, 128)
    let fourth = unsafe quarter(task, 192)
    @inline(__always)
    func lookUp(_ start: Int) {
      let indices = unsafe (task.input + start).loadUnaligned(as: SIMD16<UInt8>.self)
      var entries = vqtbl4q_u8(first, indices)
      entries = vqtbx4q_u8(entries, second, indices &- 64)
      entries = vqtbx4q_u8(entries, third, indices &- 128)
      entries = vqtbx4q_u8(entries, fourth, indices &- 192)
      unsafe task.output.storeBytes(of: entries, toByteOffset: start, as: SIMD16<UInt8>.self)
    }
    var start = 0
    while unsafe start &+ 64 <= task.count {
      lookUp(start)
      lookUp(start &+ 16)
      lookUp(start &+ 32)
      lookUp(start &+ 48)
      start &+= 64
    }
    while unsafe start &+ 16 <= task.count {
      lookUp(start)
      start &+= 16
    }
    unsafe lookUpBytes(task, from: start)
  }

  @inline(__always)
  private func quarter(_ task: ByteLookup, _ offset: Int) -> uint8x16x4_t {
    unsafe (task.table + offset).loadUnaligned(as: uint8x16x4_t.self)
  }
#endif
