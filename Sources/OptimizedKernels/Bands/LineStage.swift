// SPDX-License-Identifier: Apache-2.0

/// Images as lines of pixels.
package struct LineShape: Sendable, Equatable {
  /// Images, one behind the other.
  let imageCount: Int
  /// Lines of an image.
  let lineCount: Int
  /// Elements of a line, and bytes of each.
  let lineElementCount: Int
  let elementByteCount: Int

  /// Bytes of a line.
  var lineByteCount: Int { lineElementCount * elementByteCount }
  /// Bytes of an image.
  var imageByteCount: Int { lineCount * lineByteCount }
  /// Bytes of all images.
  var byteCount: Int { imageCount * imageByteCount }
}

/// Where a stage finds lines of its input: one behind the other or, where only the last few are there,
/// each in the place of one that is no longer needed.
@unsafe
package struct LineSource {
  /// Where the first line is, or would be if all lines were there.
  let base: UnsafeRawPointer
  /// Bytes of a line.
  let lineByteCount: Int
  /// Places for lines; nil for one behind the other.
  let placeCount: Int?

  init(_ base: UnsafeRawPointer, lineByteCount: Int, placeCount: Int? = nil) {
    unsafe self.base = base
    unsafe self.lineByteCount = lineByteCount
    unsafe self.placeCount = placeCount
  }

  /// Where a line is, counted through all images.
  func address(_ line: Int) -> UnsafeRawPointer {
    unsafe base + (placeCount.map { line % $0 } ?? line) * lineByteCount
  }
}

/// What computes lines of images' pixels, each from a few lines of other images.
package protocol LineStage: Sendable {
  /// The images that are read.
  var input: LineShape { get }
  /// The images that are computed.
  var output: LineShape { get }
  /// Whether each line follows from the line of the same position alone.
  var readsOneLine: Bool { get }
  /// How long all lines take, roughly.
  var nanoseconds: Double { get }

  /// The lines of an input image that `lines` of the output follow from.
  func inputLines(for lines: Range<Int>) -> Range<Int>

  /// The most lines of an input image that `count` neighboring lines of the output follow from.
  func inputLineCount(for count: Int) -> Int

  /// Bytes of memory that a worker needs to compute up to `lineCount` lines at once.
  func scratchByteCount(lineCount: Int) -> Int

  /// Prepares a worker's memory, which stays as it is between calls of `compute`.
  func begin(_ scratch: UnsafeMutableRawPointer, lineCount: Int)

  /// Computes `lines` of an image, up to `lineCount` at once.
  ///
  /// Stages that read one line get lines one behind the other. `output` is where the image begins, or would
  /// begin if all its lines were there.
  func compute(
    _ lines: Range<Int>, input: LineSource, output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer, lineCount: Int)
}

extension LineStage {
  package func begin(_ scratch: UnsafeMutableRawPointer, lineCount: Int) {}
}
