// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Processor seconds that this thread has used: other processes do not count.
func threadSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Seconds of one call of `body`: the best of several runs that take about 10 ms each.
func bestSeconds(_ body: () -> Void) -> Double {
  var calls = 1
  while true {
    let start = threadSeconds()
    for _ in 0..<calls { body() }
    if threadSeconds() - start > 0.01 { break }
    calls *= 2
  }
  var best = Double.infinity
  for _ in 0..<15 {
    let start = threadSeconds()
    for _ in 0..<calls { body() }
    best = min(best, (threadSeconds() - start) / Double(calls))
  }
  return best
}

/// A text filled up with blanks on the right.
func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// A number with one decimal, filled up with blanks on the left.
func number(_ value: Double, width: Int) -> String {
  let tenths = Int((value * 10).rounded())
  let text = "\(tenths / 10).\(tenths % 10)"
  return String(repeating: " ", count: max(0, width - text.count)) + text
}
