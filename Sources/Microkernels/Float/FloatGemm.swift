// SPDX-License-Identifier: Apache-2.0

/// Where tiles of the float product, one below the other, read and write.
@unsafe
@frozen
@usableFromInline
package struct FloatTileTask {
  /// The block.
  @usableFromInline package var block: FloatGemmTask
  /// The first tile's first row.
  @usableFromInline package var row: Int
  /// Rows of each tile, up to the level's highest for the columns.
  @usableFromInline package var rows: Int
  /// Tiles.
  @usableFromInline package var tileCount: Int
  /// The tiles' first column.
  @usableFromInline package var column: Int
  /// The columns' bias and weights.
  @usableFromInline package var panel: UnsafeRawPointer
  /// Whether sums start at what the output has, not at the bias, in whole vectors.
  @usableFromInline package var continues: Bool
}

/// The tiles of the task's rows, for levels whose tile has up to 12.
@_alwaysEmitIntoClient
@inline(__always)
package func floatTile<Level: FloatProductInstructions, let vectors: Int>(
  _ task: FloatTileTask, tileRows: Int, _ one: FloatTile<Level, 1, vectors>.Type
) {
  switch unsafe task.rows {
  case 2: unsafe FloatTile<Level, 2, vectors>.run(task)
  case 3: unsafe FloatTile<Level, 3, vectors>.run(task)
  case 4: unsafe FloatTile<Level, 4, vectors>.run(task)
  case 5 where tileRows >= 5: unsafe FloatTile<Level, 5, vectors>.run(task)
  case 6 where tileRows >= 6: unsafe FloatTile<Level, 6, vectors>.run(task)
  case 7 where tileRows >= 7: unsafe FloatTile<Level, 7, vectors>.run(task)
  case 8 where tileRows >= 8: unsafe FloatTile<Level, 8, vectors>.run(task)
  case 9 where tileRows >= 9: unsafe FloatTile<Level, 9, vectors>.run(task)
  case 10 where tileRows >= 10: unsafe FloatTile<Level, 10, vectors>.run(task)
  case 11 where tileRows >= 11: unsafe FloatTile<Level, 11, vectors>.run(task)
  case 12 where tileRows >= 12: unsafe FloatTile<Level, 12, vectors>.run(task)
  default: unsafe one.run(task)
  }
}

/// Where a tile of a line of the float product reads and writes.
@unsafe
@frozen
@usableFromInline
package struct FloatLineTileTask {
  /// The lines.
  @usableFromInline package var line: FloatLineTask
  /// Rows: those of the level's tile for so many columns, or `LineTiles.leastRows`.
  @usableFromInline package var rows: Int
  /// The first float of the first row's first tap.
  @usableFromInline package var left: UnsafePointer<Float>
  /// Where the first row's first column goes.
  @usableFromInline package var output: UnsafeMutablePointer<Float>
  /// The tile's first column.
  @usableFromInline package var column: Int
  /// The columns' bias and weights.
  @usableFromInline package var panel: UnsafeRawPointer
}

/// The tile of the task's rows, `LineTiles.leastRows` or as many as one of the level's tiles has, and
/// of the columns of `low`.
@_alwaysEmitIntoClient
@inline(__always)
package func floatLineTile<
  Level: FloatProductInstructions, let vectors: Int, let rows: Int, let panelVectors: Int,
  let columnRows: Int, let columnVectors: Int
>(
  _ task: FloatLineTileTask, _ low: FloatTile<Level, 4, vectors>.Type,
  full: FloatTile<Level, rows, panelVectors>.Type,
  column: FloatTile<Level, columnRows, columnVectors>.Type
) {
  if unsafe vectors <= columnVectors && task.rows == columnRows {
    unsafe FloatTile<Level, columnRows, vectors>.run(task)
  } else if unsafe task.rows == rows {
    unsafe FloatTile<Level, rows, vectors>.run(task)
  } else {
    unsafe low.run(task)
  }
}
