// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

/// How the lines of resized pictures are cut into blocks.
struct LineBlocks {
  /// Blocks for each of several workers.
  private static let blocksPerWorker = 4

  private let lineCount: Int

  /// The lines of all results.
  init(_ pictures: ResizedPictures) {
    lineCount = pictures.batchCount * pictures.outputHeight
  }

  private func step(workerCount: Int) -> Int {
    guard workerCount > 1 else { return max(lineCount, 1) }
    let wanted = workerCount * Self.blocksPerWorker
    return max((lineCount + wanted - 1) / wanted, 1)
  }

  /// Blocks in all.
  func count(workerCount: Int) -> Int {
    let step = step(workerCount: workerCount)
    return (lineCount + step - 1) / step
  }

  /// The lines of a block, counted through the pictures.
  func lines(_ block: Int, workerCount: Int) -> Range<Int> {
    let step = step(workerCount: workerCount)
    return block * step..<min((block + 1) * step, lineCount)
  }
}
