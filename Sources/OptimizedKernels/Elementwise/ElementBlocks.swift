// SPDX-License-Identifier: Apache-2.0

/// How the elements of an output are cut into blocks.
struct ElementBlocks {
  /// Elements that are computed in a nanosecond, roughly, if another worker wrote half of them.
  private static let elementsPerNanosecond = 1.5
  /// Elements of a block that stay in the first-level cache, for who reads them again.
  private static let mostElements = 8192

  /// Blocks in all.
  let count: Int
  private let elementCount: Int

  /// The blocks of `elementCount` elements, each of which is made of a row of the input.
  init(_ elementCount: Int, rowLength: Int = 1, workerCount: Int) {
    self.elementCount = elementCount
    // Most tensors of small networks: dividing takes longer than computing them.
    if workerCount == 1, elementCount <= Self.mostElements, rowLength == 1 {
      count = min(elementCount, 1)
      return
    }
    let inputCount = Double(elementCount) * Double(rowLength)
    let wanted = WorkShare.blockCount(
      nanoseconds: inputCount / Self.elementsPerNanosecond, workerCount: workerCount)
    let most = max(Self.mostElements / rowLength, 1)
    let least = (elementCount + most - 1) / most
    count = min((least + wanted - 1) / wanted * wanted, elementCount)
  }

  /// The elements of a block.
  subscript(block: Int) -> Range<Int> {
    count == 1 ? 0..<elementCount : share(block, of: count, elementCount)
  }
}
