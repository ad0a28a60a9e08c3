// SPDX-License-Identifier: Apache-2.0

/// How the elements of an output are cut into blocks.
struct ElementBlocks {
  /// Elements that are worth a block of their own.
  private static let leastStep = 8192
  /// Blocks for each of several workers.
  private static let blocksPerWorker = 4

  /// Blocks in all.
  let count: Int
  private let step: Int
  private let elementCount: Int

  /// The blocks of `elementCount` elements.
  init(_ elementCount: Int, workerCount: Int) {
    self.elementCount = elementCount
    let wanted = workerCount > 1 ? workerCount * Self.blocksPerWorker : 1
    step = max((elementCount + wanted - 1) / wanted, Self.leastStep)
    count = (elementCount + step - 1) / step
  }

  /// The elements of a block.
  subscript(block: Int) -> Range<Int> {
    block * step..<min((block + 1) * step, elementCount)
  }
}
