// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How long something takes at best: the fastest of several bursts of calls.
package struct BestTime: Sendable {
  /// The least seconds of a burst.
  package let burst: Double
  /// How many bursts there are.
  package let burstCount: Int

  /// Some milliseconds, to know a limit's size.
  package static let brief = BestTime(burst: 0.0005, burstCount: 4)
  /// Some tenths of a second, to compare kernels.
  package static let thorough = BestTime(burst: 0.01, burstCount: 15)

  /// Seconds of one call of `body`.
  ///
  /// Processor seconds of this thread count, so that other processes hardly do.
  package func seconds(_ body: () -> Void) -> Double {
    var calls = 1
    var best = Double.infinity
    while true {
      let start = Self.threadSeconds()
      for _ in 0..<calls { body() }
      let passed = Self.threadSeconds() - start
      if passed > burst {
        best = passed / Double(calls)
        break
      }
      calls *= 2
    }
    for _ in 1..<max(burstCount, 1) {
      let start = Self.threadSeconds()
      for _ in 0..<calls { body() }
      best = min(best, (Self.threadSeconds() - start) / Double(calls))
    }
    return best
  }

  /// Processor seconds that this thread has used.
  private static func threadSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
