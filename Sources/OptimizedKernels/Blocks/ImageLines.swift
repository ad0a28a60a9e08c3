// SPDX-License-Identifier: Apache-2.0

/// How the lines of images are cut into blocks, none of which has lines of two images.
struct ImageLines {
  /// Blocks in all.
  let count: Int
  /// The most lines that a block has.
  let lineStep: Int
  private let lineCount: Int
  private let blocksPerImage: Int

  /// Blocks of at most `mostLines` of each image's `lineCount` lines, for so many workers, if all
  /// take `nanoseconds` together.
  init(
    imageCount: Int, lineCount: Int, mostLines: Int, nanoseconds: Double, workerCount: Int
  ) {
    self.lineCount = lineCount
    let parts = WorkShare.parts(
      atLeast: (lineCount + mostLines - 1) / mostLines, ofEach: imageCount,
      nanoseconds: nanoseconds, workerCount: workerCount)
    blocksPerImage = max(min(parts, lineCount), 1)
    count = lineCount > 0 ? imageCount * blocksPerImage : 0
    lineStep = (lineCount + blocksPerImage - 1) / blocksPerImage
  }

  /// The lines of a block, counted through all images.
  func lines(_ block: Int) -> Range<Int> {
    let (image, part) = block.quotientAndRemainder(dividingBy: blocksPerImage)
    let lines = share(part, of: blocksPerImage, lineCount)
    let first = image * lineCount
    return first + lines.lowerBound..<first + lines.upperBound
  }
}
