// SPDX-License-Identifier: Apache-2.0

/// How a product is cut into blocks of rows and columns.
///
/// The weights of a block's columns stay in the second-level cache while its rows pass by; the
/// pointers to its rows stay in the first-level cache. With several workers there are a few blocks
/// for each, where the product is large enough for that.
struct ProductBlocks {
  /// Bytes of weights that a block may have.
  private static let weightsLimit = 384 * 1024
  /// Pointers to rows that a block may have.
  private static let pointerLimit = 1024
  /// Blocks for each of several workers.
  private static let blocksPerWorker = 4

  /// Rows of all blocks but the last ones.
  let rowStep: Int
  /// Blocks that the rows are cut into.
  let rowBlockCount: Int
  /// Blocks in all.
  let count: Int
  private let columnStep: Int
  private let size: ProductSize

  /// The blocks of a product of this size.
  init(_ size: ProductSize, workerCount: Int) {
    self.size = size
    let tile = size.tileRows
    var rowStep = max(Self.pointerLimit / max(size.tapCount, 1) / tile, 1) * tile
    var panels = max(Self.weightsLimit / max(size.panelByteCount, 1), 1)
    if workerCount > 1 {
      let wanted = workerCount * Self.blocksPerWorker
      let share = (size.rowCount + wanted - 1) / wanted
      rowStep = min(rowStep, max(share / tile, 1) * tile)
      let rowBlocks = (size.rowCount + rowStep - 1) / rowStep
      let panelCount = (size.columnCount + size.panelWidth - 1) / size.panelWidth
      let columnBlocks = (wanted + rowBlocks - 1) / max(rowBlocks, 1)
      panels = min(panels, max(panelCount / columnBlocks, 1))
    }
    self.rowStep = min(rowStep, max(size.rowCount, 1))
    columnStep = panels * size.panelWidth
    rowBlockCount = (size.rowCount + self.rowStep - 1) / self.rowStep
    count = rowBlockCount * ((size.columnCount + columnStep - 1) / columnStep)
  }

  /// The rows of a block.
  func rows(_ block: Int) -> Range<Int> {
    let first = block % rowBlockCount * rowStep
    return first..<min(first + rowStep, size.rowCount)
  }

  /// The columns of a block; they start with a panel.
  func columns(_ block: Int) -> Range<Int> {
    let first = block / rowBlockCount * columnStep
    return first..<min(first + columnStep, size.columnCount)
  }

  /// Calls `body` for the runs of output elements that make up a block, counted through all
  /// groups, whose columns follow each other in every row.
  func forEachRun(of block: Int, groupCount: Int, _ body: (Range<Int>) -> Void) {
    let (group, part) = block.quotientAndRemainder(dividingBy: count)
    let (rows, columns) = (rows(part), columns(part))
    let stride = groupCount * size.columnCount
    if columns.count == stride { return body(rows.lowerBound * stride..<rows.upperBound * stride) }
    for row in rows {
      let first = row * stride + group * size.columnCount + columns.lowerBound
      body(first..<first + columns.count)
    }
  }
}

/// What decides how a product is cut up.
struct ProductSize: Sendable {
  /// Rows of the left operand.
  let rowCount: Int
  /// Columns of the right operand.
  let columnCount: Int
  /// Pointers for each row.
  let tapCount: Int
  /// Rows of a register tile.
  let tileRows: Int
  /// Columns of a panel of packed weights.
  let panelWidth: Int
  /// Bytes of such a panel.
  let panelByteCount: Int
}
