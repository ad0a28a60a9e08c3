// SPDX-License-Identifier: Apache-2.0

/// When stages are computed in bands, and how large these are.
package struct BandLimits: Sendable {
  /// Bytes of the images between two stages from which on they are better not written.
  package var leastBetween = 256 * 1024
  /// The same for one worker's share of them, where several share them.
  ///
  /// Smaller shares stay in the workers' second-level caches; and in bands, workers compute lines at
  /// the edges of their shares twice.
  package var leastShare = 128 * 1024
  /// Bytes of a band's lines that stay in the second-level cache, beside weights.
  package var wanted = 320 * 1024
  /// Bytes up to which the lines for a single line of the output are worth a band.
  package var most = 512 * 1024

  /// Limits for processors with at least 512 KiB of second-level cache.
  package init() {}

  /// Whether bands pay where there are so many bytes between two stages.
  func pay(_ byteCount: Int, workerCount: Int) -> Bool {
    byteCount >= leastBetween && byteCount / max(workerCount, 1) >= leastShare
  }

  /// The most lines that a band of these stages has; nil where bands would be too large.
  func mostLines(of stages: [any LineStage]) -> Int? {
    func byteCount(_ lineCount: Int) -> Int {
      BandMemory(stages, lineCount: lineCount).lineByteCount
    }
    guard let last = stages.last, byteCount(1) <= most else { return nil }
    var (fits, end) = (1, max(last.output.lineCount, 1))
    while fits < end {
      let middle = (fits + end + 1) / 2
      if byteCount(middle) <= wanted { fits = middle } else { end = middle - 1 }
    }
    return fits
  }
}
