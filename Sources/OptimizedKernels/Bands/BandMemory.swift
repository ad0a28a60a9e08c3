// SPDX-License-Identifier: Apache-2.0

import Microkernels

/// The memory in which a worker computes bands of lines: for each stage but the last the lines that
/// the next one reads, and each stage's own.
struct BandMemory: Sendable {
  /// Bytes of all.
  let byteCount: Int
  /// The most lines that each stage computes at once.
  let lineCounts: [Int]
  /// Where each stage's lines start; the last one's are the output's.
  let lineOffsets: [Int]
  /// Where each stage's own memory starts.
  let scratchOffsets: [Int]
  /// Bytes of all lines.
  let lineByteCount: Int

  /// The memory for bands of up to `lineCount` lines of the last stage's output.
  init(_ stages: [any LineStage], lineCount: Int) {
    var counts: [Int] = []
    var count = lineCount
    for stage in stages.reversed() {
      count = min(count, stage.output.lineCount)
      counts.append(count)
      count = stage.inputLineCount(for: count)
    }
    lineCounts = counts.reversed()
    var byteCount = 0
    func take(_ count: Int) -> Int {
      defer { byteCount += roundedUp(count, to: AlignedMemory.alignment) }
      return byteCount
    }
    var offsets: [Int] = []
    for (stage, count) in zip(stages.dropLast(), lineCounts) {
      offsets.append(take(count * stage.output.lineByteCount))
    }
    (lineOffsets, lineByteCount) = (offsets, byteCount)
    offsets = []
    for (stage, count) in zip(stages, lineCounts) {
      offsets.append(take(stage.scratchByteCount(lineCount: count)))
    }
    (scratchOffsets, self.byteCount) = (offsets, byteCount)
  }
}
