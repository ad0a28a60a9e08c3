// SPDX-License-Identifier: Apache-2.0

import Microkernels

/// How a product is cut into blocks of rows and columns.
///
/// The weights of a block's columns stay in the second-level cache while its rows pass by; the
/// pointers to its rows stay in the first-level cache. Several workers share rows, so that each
/// writes memory of its own and often reads what it wrote itself; where there are too few, they
/// share columns. Blocks next to each other belong to the same worker.
struct ProductBlocks {
  /// Bytes of weights that a block may have.
  static let weightsLimit = 384 * 1024
  /// Pointers to rows that a block may have.
  static let pointerLimit = 1024

  /// The most rows that a block has.
  let rowStep: Int
  /// Blocks in all.
  let count: Int
  private let size: ProductSize
  /// Parts of the rows that workers have for themselves, and blocks of each of these.
  private let rowParts: (workers: Int, blocks: Int)
  private let columnParts: (workers: Int, blocks: Int)

  /// The blocks of a product of this size.
  init(_ size: ProductSize, workerCount most: Int) {
    self.size = size
    let workerCount = WorkShare.workerCount(nanoseconds: size.nanoseconds, most: most)
    let mostTiles = max(Self.pointerLimit / max(size.tapCount, 1) / size.tileRows, 1)
    let rowLimit = (size.rowTileCount + mostTiles - 1) / mostTiles
    let columnLimit =
      (size.weightByteCount + Self.weightsLimit - 1) / Self.weightsLimit
    let perWorker = WorkShare.blocksPerWorker(
      nanoseconds: size.nanoseconds, workerCount: workerCount)
    let rowWorkers = perWorker == 0 ? 1 : size.rowWorkers(of: workerCount)
    let columnWorkers =
      perWorker == 0 ? 1 : min(workerCount / rowWorkers, max(size.panelCount, 1))
    let cutsRows = size.rowTileCount >= perWorker * rowWorkers
    func blocks(_ limit: Int, _ workers: Int, _ wanted: Int, _ units: Int) -> Int {
      max(min(max((limit + workers - 1) / workers, wanted), units / workers), 1)
    }
    rowParts = (
      rowWorkers, blocks(rowLimit, rowWorkers, cutsRows ? perWorker : 1, size.rowTileCount)
    )
    columnParts = (
      columnWorkers, blocks(columnLimit, columnWorkers, cutsRows ? 1 : perWorker, size.panelCount)
    )
    let rowBlocks = rowParts.workers * rowParts.blocks
    let rowTiles = size.tiles((size.rowCount + rowWorkers - 1) / rowWorkers)
    rowStep = min(
      (rowTiles + rowParts.blocks - 1) / rowParts.blocks * size.tileRows, max(size.rowCount, 1))
    count =
      size.rowCount == 0 || size.columnCount == 0
      ? 0 : rowBlocks * columnParts.workers * columnParts.blocks
  }

  /// Bytes of the weights of a block with the most columns.
  var weightByteCount: Int {
    let parts = columnParts.workers * columnParts.blocks
    return (size.panelCount + parts - 1) / parts * size.panelByteCount
  }

  /// The rows of a block.
  func rows(_ block: Int) -> Range<Int> {
    guard count > 1 else { return 0..<size.rowCount }
    let part = block / (rowParts.blocks * columnParts.blocks) % rowParts.workers
    let rows = share(part, of: rowParts.workers, size.rowCount)
    let tiles = share(block % rowParts.blocks, of: rowParts.blocks, size.tiles(rows.count))
    return rows.lowerBound + tiles.lowerBound
      * size.tileRows..<min(rows.lowerBound + tiles.upperBound * size.tileRows, rows.upperBound)
  }

  /// The columns of a block; they start with a panel.
  func columns(_ block: Int) -> Range<Int> {
    guard count > 1 else { return 0..<size.columnCount }
    let part = block / (rowParts.blocks * columnParts.blocks) / rowParts.workers
    let panels = share(
      part * columnParts.blocks + block / rowParts.blocks % columnParts.blocks,
      of: columnParts.workers * columnParts.blocks, size.panelCount)
    return min(
      panels.lowerBound * size.panelWidth, size.columnCount)..<min(
        panels.upperBound * size.panelWidth, size.columnCount)
  }

  /// Calls `body` for the runs of output elements that make up a block, counted through all groups: these
  /// take turns, and their columns follow each other in every row.
  func forEachRun(of block: Int, groupCount: Int, _ body: (Range<Int>) -> Void) {
    let (part, group) = block.quotientAndRemainder(dividingBy: groupCount)
    let (rows, columns) = (rows(part), columns(part))
    let stride = groupCount * size.columnCount
    if columns.count == stride { return body(rows.lowerBound * stride..<rows.upperBound * stride) }
    for row in rows {
      let first = row * stride + group * size.columnCount + columns.lowerBound
      body(first..<first + columns.count)
    }
  }
}

/// The blocks of a product for any number of workers.
struct ProductCuts: Sendable {
  /// The product's size.
  let size: ProductSize
  /// The blocks for one worker: finding them takes as long as a small product.
  private let single: ProductBlocks

  /// The blocks of a product of this size.
  init(_ size: ProductSize) {
    self.size = size
    single = ProductBlocks(size, workerCount: 1)
  }

  /// The blocks for so many workers.
  func blocks(workerCount: Int) -> ProductBlocks {
    workerCount == 1 ? single : ProductBlocks(size, workerCount: workerCount)
  }
}

/// What decides how a product is cut up.
struct ProductSize: Sendable {
  /// Bytes of weights that a register tile's rows are multiplied with in a nanosecond, at about the
  /// speed of the widest vectors.
  static let weightsPerNanosecond = 200.0
  /// Rows that are worth a worker of their own: fewer would not fill a tile.
  private static let leastRows = 8

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
  /// Columns of a vector of them.
  let laneCount: Int
  /// Bytes of such a panel.
  let panelByteCount: Int
  /// How long each sum takes besides its products, where that is more than these take.
  var nanosecondsPerSum = 0.0

  /// Register tiles that make up so many rows.
  func tiles(_ rowCount: Int) -> Int { (rowCount + tileRows - 1) / tileRows }
  /// Register tiles on top of each other.
  var rowTileCount: Int { tiles(rowCount) }
  /// Panels side by side.
  var panelCount: Int { (columnCount + panelWidth - 1) / panelWidth }
  /// Bytes of all weights.
  var weightByteCount: Int {
    roundedUp(columnCount, to: laneCount) * (panelByteCount / panelWidth)
  }

  /// How long the product takes, roughly.
  var nanoseconds: Double {
    let products = Double(weightByteCount) / Self.weightsPerNanosecond
    return Double(rowCount) * (products + Double(columnCount) * nanosecondsPerSum)
  }

  /// Among how many of so many workers rows are shared, a divisor; the rest share columns.
  func rowWorkers(of workerCount: Int) -> Int {
    let most = max(rowCount / Self.leastRows, 1)
    return (1...workerCount).last { workerCount % $0 == 0 && $0 <= most } ?? 1
  }
}

extension ProductSize {
  /// The size of a product of `rows` of 8-bit quantized values, packed as `layout` says.
  init(_ rows: ProductRows, columnCount: Int, _ layout: ByteGemmLayout) {
    let depth = rows.tapCount * rows.tapByteCount
    self.init(
      rowCount: rows.rowCount, columnCount: columnCount, tapCount: rows.tapCount,
      tileRows: layout.tileRows(depth: depth), panelWidth: layout.panelWidth,
      laneCount: layout.laneCount, panelByteCount: layout.panelByteCount(depth: depth))
  }
}
