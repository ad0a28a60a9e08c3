// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

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

extension Broadcast {
  /// Calls `body` for the parts of rows that lie in `range` of the output: with where each part
  /// starts in both operands and in the output, and its length.
  func forEachPart(
    in range: Range<Int>, _ body: (_ left: Int, _ right: Int, _ output: Int, _ count: Int) -> Void
  ) {
    var rows = rows()
    while rows.next() {
      let row = (rows.output..<rows.output + rowLength).clamped(to: range)
      if row.isEmpty {
        if rows.output >= range.upperBound { return }
        continue
      }
      let skipped = row.lowerBound - rows.output
      body(
        rows.offset(0) + skipped * rowSteps[0], rows.offset(1) + skipped * rowSteps[1],
        row.lowerBound, row.count)
    }
  }
}
