// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if arch(x86_64)
  /// The instruction `pause`, by its name in LLVM: clang's header declares `_mm_pause` without a body
  /// that Swift could inline.
  @_silgen_name("llvm.x86.sse2.pause")
  private func pauseInstruction()
#endif

/// The processors that threads may run on.
package enum Processors {
  /// How many are online.
  package static let count = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Tells the processor that the thread looks for a change again and again, so that another one on
  /// the same core has more of it.
  @inline(__always)
  static func pause() {
    #if arch(x86_64)
      pauseInstruction()
    #endif
  }
}
