// SPDX-License-Identifier: Apache-2.0

package import Microkernels

/// What threads on this machine can do at most.
package struct MachineLimits: Sendable {
  /// The name of the instruction-set level.
  package let level: String
  /// Threads that can work at once.
  package let threadCount: Int
  /// Float multiply-adds per second, of all threads.
  package let floatRate: Double
  /// Multiply-adds of bytes per second, of all threads.
  package let byteRate: Double
  /// Reading and copying, by one thread.
  package let memory: MemoryRates

  /// Limits of these parts; rates of multiply-adds are those of one thread.
  package init(
    level: String, threadCount: Int, floatRate: Double, byteRate: Double,
    memory: MemoryRates
  ) {
    self.level = level
    self.threadCount = threadCount
    self.floatRate = floatRate * Double(threadCount)
    self.byteRate = byteRate * Double(threadCount)
    self.memory = memory
  }

  /// Measures the limits with bare loops, which takes about a tenth of a second.
  ///
  /// One thread is measured; `threadCount` of them, but no more than there are processors, are
  /// taken to be as many times as fast.
  package static func measured(
    _ set: MicrokernelSet = .selected, threadCount: Int
  ) -> MachineLimits {
    let peak = PeakRates(set.peak, .brief)
    return MachineLimits(
      level: set.level.rawValue, threadCount: min(max(threadCount, 1), Processors.count),
      floatRate: peak.float, byteRate: peak.byte,
      memory: MemoryRates(set.peak, powers: 13...25, .brief))
  }
}

/// Multiply-adds per second of one thread, measured with bare loops.
package struct PeakRates: Sendable {
  /// Of floats.
  package let float: Double
  /// Of bytes.
  package let byte: Double

  /// Measures them.
  package init(_ peak: PeakLoops, _ timing: BestTime) {
    let rounds = 10_000
    var sink: Float = 0
    let floatSeconds = timing.seconds { sink += peak.float(rounds) }
    let byteSeconds = timing.seconds { sink += Float(peak.byte(rounds)) }
    precondition(!sink.isNaN, "the loops add finite numbers")
    float = Double(peak.floatOperations / 2 * rounds) / floatSeconds
    byte = Double(peak.byteProducts * rounds) / byteSeconds
  }
}
