// SPDX-License-Identifier: Apache-2.0

package import Microkernels

/// How fast plain loops read and copy memory that they have just used, by size.
///
/// What fits into a cache is there, as a kernel's data are that runs again and again.
package struct MemoryRates: Sendable {
  /// What was measured with one size.
  package struct Sample: Sendable {
    /// Bytes that are in use: all are read, or half of them copied to the other half.
    package let byteCount: Int
    /// Bytes read per second.
    package let reading: Double
    /// Bytes copied per second, each counted once as read and once as written.
    package let copying: Double

    /// A sample of these rates.
    package init(byteCount: Int, reading: Double, copying: Double) {
      self.byteCount = byteCount
      self.reading = reading
      self.copying = copying
    }
  }

  /// By rising size; rates fall.
  package let samples: [Sample]

  /// Rates of these samples, which are at least one; where a larger one is faster, its rate counts
  /// for the smaller ones, too.
  package init(_ samples: [Sample]) {
    var falling: [Sample] = []
    for sample in samples.sorted(by: { $0.byteCount > $1.byteCount }) {
      falling.append(
        Sample(
          byteCount: sample.byteCount,
          reading: max(sample.reading, falling.last?.reading ?? 0),
          copying: max(sample.copying, falling.last?.copying ?? 0)))
    }
    precondition(!falling.isEmpty, "nothing was measured")
    self.samples = falling.reversed()
  }

  /// Measures sizes of these powers of two, of 4 KiB at least.
  package init(_ peak: PeakLoops, powers: some Sequence<Int>, _ timing: BestTime) {
    let powers = powers.sorted()
    let memory = AlignedMemory(zeroed: 1 << (powers.last ?? 12))
    let start = unsafe memory.address
    self.init(
      powers.map { power in
        let byteCount = 1 << power
        var sink: Float = 0
        let reading = timing.seconds { unsafe sink += peak.read(start, byteCount) }
        precondition(sink == 0, "the memory is full of zeros")
        let copying = timing.seconds {
          unsafe peak.copy(start, start + byteCount / 2, byteCount / 2)
        }
        return Sample(
          byteCount: byteCount, reading: Double(byteCount) / reading,
          copying: Double(byteCount) / copying)
      })
  }

  /// The sample for this many bytes in use: the largest that is no larger, else the first.
  package func sample(_ byteCount: Int) -> Sample {
    samples.last { $0.byteCount <= byteCount } ?? samples[0]
  }
}
