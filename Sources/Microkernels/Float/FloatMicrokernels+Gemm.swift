// SPDX-License-Identifier: Apache-2.0

extension FloatMicrokernels {
  /// Rows of the tile of scaled products.
  static let scaledTileRows = 4

  /// Computes a block of a product.
  ///
  /// With scratch memory, each row tile is copied there first (taps behind each other).
  @unsafe
  package func gemm(_ task: FloatGemmTask) {
    guard let scratch = unsafe task.scratch else {
      unsafe forEachTile(of: task.rowCount, upTo: layout.tileRows) { row, rows in
        unsafe multiply(task, row: row, rows: rows, tile)
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
    let tileRows = unsafe layout.lineTileRows(columnCount: task.columnCount)
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

  /// Cuts rows into tiles of equal height: a last tile of one row would cost as much as one of
  /// four.
  private func forEachTile(
    of rowCount: Int, upTo tileRows: Int, _ body: (_ row: Int, _ rows: Int) -> Void
  ) {
    var row = 0
    var tile = (rowCount &+ tileRows &- 1) / tileRows
    while tile > 0 {
      let rows = (rowCount &- row &+ tile &- 1) / tile
      body(row, rows)
      row &+= rows
      tile &-= 1
    }
  }

  /// One row tile times all panels of the block.
  private func multiply(
    _ task: FloatGemmTask, row: Int, rows: Int,
    _ tile: (_ part: FloatTileTask, _ vectors: Int) -> Void
  ) {
    let panelByteCount = unsafe (task.tapCount &* task.depth &+ 1) &* layout.panelWidth &* 4
    var part = unsafe FloatTileTask(
      block: task, row: row, rows: rows, column: 0, panel: task.weights)
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
