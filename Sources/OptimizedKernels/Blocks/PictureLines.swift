// SPDX-License-Identifier: Apache-2.0

/// How the lines of pictures are cut into blocks, none of which has lines of two pictures.
struct PictureLines {
  /// Blocks in all.
  let count: Int
  /// The most lines that a block has.
  let lineStep: Int
  private let lineCount: Int
  private let blocksPerPicture: Int

  /// Blocks of at most `mostLines` of each picture's `lineCount` lines, for so many workers, if all
  /// take `nanoseconds` together.
  init(
    pictureCount: Int, lineCount: Int, mostLines: Int, nanoseconds: Double, workerCount: Int
  ) {
    self.lineCount = lineCount
    let wanted = WorkShare.blockCount(nanoseconds: nanoseconds, workerCount: workerCount)
    let parts = max(
      (lineCount + mostLines - 1) / mostLines,
      (wanted + pictureCount - 1) / max(pictureCount, 1))
    blocksPerPicture = max(min(parts, lineCount), 1)
    count = lineCount > 0 ? pictureCount * blocksPerPicture : 0
    lineStep = (lineCount + blocksPerPicture - 1) / blocksPerPicture
  }

  /// The lines of a block, counted through all pictures.
  func lines(_ block: Int) -> Range<Int> {
    let (picture, part) = block.quotientAndRemainder(dividingBy: blocksPerPicture)
    let lines = share(part, of: blocksPerPicture, lineCount)
    let first = picture * lineCount
    return first + lines.lowerBound..<first + lines.upperBound
  }
}
