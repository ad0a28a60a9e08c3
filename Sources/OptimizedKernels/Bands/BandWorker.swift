// SPDX-License-Identifier: Apache-2.0

/// A worker's bands, one after the other.
@unsafe
struct BandWorker {
  private let stages: [any LineStage]
  private let memory: BandMemory
  private let base: UnsafeMutableRawPointer
  /// The image of the last band.
  private var image = -1
  /// The lines of each stage's output that are there.
  private var held: [Range<Int>]
  /// Those of them that the next band has yet to compute.
  private var missing: [Range<Int>]

  /// A worker without lines, whose memory starts at `base`.
  init(_ stages: [any LineStage], _ memory: BandMemory, at base: UnsafeMutableRawPointer) {
    unsafe self.stages = stages
    unsafe self.memory = memory
    unsafe self.base = base
    unsafe held = Array(repeating: 0..<0, count: stages.count)
    unsafe missing = held
    for index in stages.indices {
      unsafe stages[index].begin(
        base + memory.scratchOffsets[index], lineCount: memory.lineCounts[index])
    }
  }

  /// Computes `lines` of an image.
  ///
  /// `input` and `output` are where the first images begin.
  mutating func compute(
    _ lines: Range<Int>, image: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer
  ) {
    if unsafe image != self.image {
      unsafe self.image = image
      for index in unsafe stages.indices { unsafe held[index] = 0..<0 }
    }
    let last = unsafe stages.count - 1
    var needed = lines
    unsafe missing[last] = lines
    for index in stride(from: last - 1, through: 0, by: -1) {
      needed = unsafe stages[index + 1].inputLines(for: missing[index + 1])
      unsafe keep(needed, of: index)
    }
    let first = unsafe stages[0].input
    var source = unsafe LineSource(
      input + image * first.imageByteCount, lineByteCount: first.lineByteCount)
    for index in unsafe stages.indices.dropLast() {
      unsafe compute(index, source)
      unsafe source = result(of: index)
    }
    unsafe compute(
      last, lines, source, to: output + image * stages[last].output.imageByteCount)
  }

  /// Computes the missing lines of a stage but the last.
  private func compute(_ index: Int, _ source: LineSource) {
    var lines = unsafe missing[index]
    let target = unsafe result(of: index)
    let count = unsafe target.placeCount ?? Int.max
    while !lines.isEmpty {
      // As many as have their places one behind the other.
      let first = lines.lowerBound
      let part = first..<min(lines.upperBound, first + (count - first % count))
      let place = unsafe UnsafeMutableRawPointer(mutating: target.address(first))
      unsafe compute(index, part, source, to: place - first * target.lineByteCount)
      lines = part.upperBound..<lines.upperBound
    }
  }

  private func compute(
    _ index: Int, _ lines: Range<Int>, _ source: LineSource, to output: UnsafeMutableRawPointer
  ) {
    unsafe stages[index].compute(
      lines, input: source, output: output, scratch: base + memory.scratchOffsets[index],
      lineCount: memory.lineCounts[index])
  }

  /// Where lines of a stage's output are, for the next one.
  private func result(of index: Int) -> LineSource {
    let start = unsafe base + memory.lineOffsets[index]
    let byteCount = unsafe stages[index].output.lineByteCount
    guard unsafe stages[index + 1].readsOneLine else {
      return unsafe LineSource(
        start, lineByteCount: byteCount, placeCount: memory.lineCounts[index])
    }
    return unsafe LineSource(
      start - held[index].lowerBound * byteCount, lineByteCount: byteCount)
  }

  /// Gives up the lines of a stage's output that are not `needed`.
  private mutating func keep(_ needed: Range<Int>, of index: Int) {
    let kept = unsafe held[index].clamped(to: needed)
    unsafe held[index] = needed
    let isStart =
      unsafe !stages[index + 1].readsOneLine && !kept.isEmpty
      && kept.lowerBound == needed.lowerBound
    unsafe missing[index] = isStart ? kept.upperBound..<needed.upperBound : needed
  }
}
