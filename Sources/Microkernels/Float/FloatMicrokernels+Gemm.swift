// SPDX-License-Identifier: Apache-2.0

extension FloatMicrokernels {
  /// Rows of the tile of scaled products.
  static let scaledTileRows = 4
  /// Products of each result up to which a tile takes little time beside what it takes to call it.
  static let shallowDepth = 96
  /// Bytes of a panel's weights that are multiplied with all rows before those behind them: a quarter
  /// of a small second-level cache.
  package static let partByteCount = 128 * 1024

  /// Computes a block of a product.
  ///
  /// With scratch memory, each row tile is copied there first (taps behind each other).
  @unsafe
  package func gemm(_ task: FloatGemmTask) {
    if unsafe isDeep(task) { return unsafe multiplyInParts(task) }
    guard let scratch = unsafe task.scratch else {
      let isShallow = unsafe task.tapCount &* task.depth <= Self.shallowDepth
      unsafe forEachHeight(
        of: task.rowCount, upTo: layout.tileRows(columnCount: task.columnCount)
      ) { row, rows, count in
        // Where all weights stay at hand, each panel is read once for all tiles.
        let calls = isShallow ? 1 : count
        for call in 0..<calls {
          unsafe multiply(
            task, row: row &+ call &* rows, rows: rows, tileCount: isShallow ? count : 1, tile)
        }
      }
      return
    }
    let depth = unsafe task.tapCount &* task.depth
    let stride = layout.rowStride(depth)
    unsafe withUnsafeTemporaryAllocation(
      of: UnsafePointer<Float>.self, capacity: layout.tileRows
    ) { starts in
      guard let base = starts.baseAddress else { return }
      for row in 0..<layout.tileRows {
        unsafe (base + row).initialize(
          to: UnsafePointer((scratch + row &* stride).assumingMemoryBound(to: Float.self)))
      }
      var copied = unsafe task
      unsafe copied.rows = UnsafePointer(base)
      unsafe copied.tapCount = 1
      unsafe copied.depth = depth
      unsafe forEachTile(of: task.rowCount, upTo: layout.tileRows) { row, rows in
        for r in 0..<rows { unsafe copyRow(task, row: row &+ r, to: scratch + r &* stride) }
        unsafe copied.output = task.output + row &* task.outputStride
        unsafe multiply(copied, row: 0, rows: rows, tile)
      }
    }
  }

  /// Computes a block of a product whose products are scaled; rows are not copied.
  @unsafe
  package func gemm(_ task: FloatGemmTask, _ scaling: FloatProductScaling) {
    unsafe forEachTile(of: task.rowCount, upTo: Self.scaledTileRows) { row, rows in
      unsafe multiply(task, row: row, rows: rows) { part, vectors in
        unsafe scaledTile(part, scaling, max(vectors, 1))
      }
    }
  }

  /// Computes lines of a product of windows.
  @unsafe
  package func multiply(_ task: FloatLineTask) {
    let panelByteCount = unsafe (task.tapCount &* task.depth &+ 1) &* layout.panelWidth &* 4
    var part = unsafe FloatLineTileTask(
      line: task, rows: 0, left: task.left, output: task.output, column: 0, panel: task.weights)
    let tileRows = unsafe layout.tileRows(columnCount: task.columnCount)
    for line in unsafe 0..<task.lineCount {
      let left = unsafe task.left + line &* task.lineStride
      let output = unsafe task.output + line &* task.outputLineStride
      unsafe LineTiles.forEach(of: task.rowCount, upTo: tileRows) { row, rows in
        unsafe part.rows = rows
        unsafe part.left = left + row &* task.stride
        unsafe part.output = output + row &* task.outputStride
        unsafe part.panel = task.weights
        unsafe part.column = 0
        while unsafe part.column < task.columnCount {
          unsafe lineTile(part, layout.vectors(columnCount: task.columnCount &- part.column))
          unsafe part.panel += panelByteCount
          unsafe part.column &+= layout.panelWidth
        }
      }
    }
  }

  /// Whether the weights of a panel would leave the second-level cache before the next rows need them.
  ///
  /// Between parts sums are kept as results, which must be whole vectors.
  private func isDeep(_ task: FloatGemmTask) -> Bool {
    let byteCount = unsafe task.tapCount &* task.depth &* layout.panelWidth &* 4
    return unsafe byteCount >= 4 &* Self.partByteCount && task.rowCount > layout.tileRows
      && task.scratch == nil && task.columnCount % layout.laneCount == 0
  }

  /// Computes a block panel by panel, each part by part of its depth: the same chains of additions.
  private func multiplyInParts(_ task: FloatGemmTask) {
    var panel = unsafe task.weights
    var column = 0
    while unsafe column < task.columnCount {
      let remaining = unsafe task.columnCount &- column
      let rowByteCount = layout.width(columnCount: remaining) &* 4
      unsafe forEachPart(of: task, depth: Self.partByteCount / rowByteCount) { part, first in
        unsafe forEachHeight(of: task.rowCount, upTo: layout.tileRows) { row, rows, count in
          unsafe tile(
            FloatTileTask(
              block: part, row: row, rows: rows, tileCount: count, column: column,
              panel: panel + first &* rowByteCount, continues: first > 0),
            layout.vectors(columnCount: remaining))
        }
      }
      unsafe panel += layout.panelByteCount(depth: task.tapCount &* task.depth)
      column &+= layout.panelWidth
    }
  }

  /// Calls `body` with parts of about `depth` of a block, of several taps or of a part of one, and with
  /// the products before each; results have limits when they are complete.
  private func forEachPart(
    of task: FloatGemmTask, depth: Int, _ body: (_ part: FloatGemmTask, _ first: Int) -> Void
  ) {
    var part = unsafe task
    let total = unsafe task.tapCount &* task.depth
    let taps = unsafe max(depth / max(task.depth, 1), 1)
    let length = unsafe task.depth > depth ? depth : task.depth
    var first = 0
    while first < total {
      let tap = unsafe first / task.depth
      unsafe part.skipped = first &- tap &* task.depth
      unsafe part.depth = min(length, task.depth &- part.skipped)
      unsafe part.rows = task.rows + tap &* task.rowPitch
      unsafe part.tapCount = min(taps, task.tapCount &- tap)
      let end = unsafe first &+ part.tapCount &* part.depth
      unsafe part.lowest = end < total ? -.infinity : task.lowest
      unsafe part.highest = end < total ? .infinity : task.highest
      unsafe body(part, first)
      first = end
    }
  }

  /// Cuts rows into tiles of equal height: a last tile of one row would cost as much as one of
  /// four.
  private func forEachTile(
    of rowCount: Int, upTo tileRows: Int, _ body: (_ row: Int, _ rows: Int) -> Void
  ) {
    forEachHeight(of: rowCount, upTo: tileRows) { row, rows, count in
      for tile in 0..<count { body(row &+ tile &* rows, rows) }
    }
  }

  /// The same, with all tiles of one height at once.
  private func forEachHeight(
    of rowCount: Int, upTo tileRows: Int,
    _ body: (_ row: Int, _ rows: Int, _ count: Int) -> Void
  ) {
    guard rowCount > 0 else { return }
    let count = (rowCount &+ tileRows &- 1) / tileRows
    let (rows, higher) = rowCount.quotientAndRemainder(dividingBy: count)
    if higher > 0 { body(0, rows &+ 1, higher) }
    body(higher &* (rows &+ 1), rows, count &- higher)
  }

  /// Tiles of one height times all panels of the block.
  private func multiply(
    _ task: FloatGemmTask, row: Int, rows: Int, tileCount: Int = 1,
    _ tile: (_ part: FloatTileTask, _ vectors: Int) -> Void
  ) {
    let panelByteCount = unsafe (task.tapCount &* task.depth &+ 1) &* layout.panelWidth &* 4
    var part = unsafe FloatTileTask(
      block: task, row: row, rows: rows, tileCount: tileCount, column: 0, panel: task.weights,
      continues: false)
    while unsafe part.column < task.columnCount {
      unsafe tile(part, layout.vectors(columnCount: task.columnCount &- part.column))
      unsafe part.panel += panelByteCount
      unsafe part.column &+= layout.panelWidth
    }
  }

  /// Copies one row's taps behind each other.
  private func copyRow(
    _ task: FloatGemmTask, row: Int, to destination: UnsafeMutableRawPointer
  ) {
    let byteCount = unsafe task.depth &* 4
    var destination = unsafe destination
    for tap in unsafe 0..<task.tapCount {
      unsafe destination.copyMemory(
        from: task.rows[tap &* task.rowPitch &+ row], byteCount: byteCount)
      unsafe destination += byteCount
    }
  }
}
