// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import CProcessors
  import Glibc
#elseif canImport(Musl)
  internal import CProcessors
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The processors that threads may run on.
package enum Processors {
  /// How many this program may use: containers and `taskset` allow some of those that are online.
  package static let count = max(1, allowed ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Counted in the mask that Linux has for the program; nil where it tells of none.
  ///
  /// The C library looks up processors that are online in a file, which takes a new program longer
  /// than many inferences.
  private static var allowed: Int? {
    #if os(Linux)
      let words = unsafe [UInt64](unsafeUninitializedCapacity: 128) { words, count in
        let byteCount = words.count * MemoryLayout<UInt64>.stride
        guard unsafe allowedProcessors(0, byteCount, words.baseAddress) == 0 else { return }
        count = words.count
      }
      let bitCount = words.reduce(0) { $0 + $1.nonzeroBitCount }
      return bitCount > 0 ? bitCount : nil
    #else
      return nil
    #endif
  }
}
