// SPDX-License-Identifier: Apache-2.0

/// A stage whose pixels are replaced by a function of them right after they were computed.
struct FollowedStage: LineStage {
  /// The stage.
  let first: any LineStage
  /// The function.
  let function: any ElementKernel

  var input: LineShape { first.input }
  var output: LineShape { first.output }
  var readsOneLine: Bool { first.readsOneLine }
  var nanoseconds: Double { first.nanoseconds }

  func inputLines(for lines: Range<Int>) -> Range<Int> { first.inputLines(for: lines) }

  func inputLineCount(for count: Int) -> Int { first.inputLineCount(for: count) }

  func scratchByteCount(lineCount: Int) -> Int { first.scratchByteCount(lineCount: lineCount) }

  func begin(_ scratch: UnsafeMutableRawPointer, lineCount: Int) {
    unsafe first.begin(scratch, lineCount: lineCount)
  }

  func compute(
    _ lines: Range<Int>, input: LineSource, output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer, lineCount: Int
  ) {
    unsafe first.compute(
      lines, input: input, output: output, scratch: scratch, lineCount: lineCount)
    let length = first.output.lineElementCount
    unsafe function.compute(
      lines.lowerBound * length..<lines.upperBound * length, output, output)
  }
}
