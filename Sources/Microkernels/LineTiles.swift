// SPDX-License-Identifier: Apache-2.0

/// How the rows of a line are cut into tiles of a level's full height and, at the end, of four rows.
///
/// Tiles at the end may reach back: what two of them have is computed twice.
package enum LineTiles {
  /// Rows of the lower tiles, the least that a line may have.
  package static var leastRows: Int { 4 }

  /// What the tiles of a line cost, as rows of full tiles.
  ///
  /// Sums wait for each other where a lower tile, or one of a single vector, has less than eight.
  package static func cost(of rowCount: Int, upTo tileRows: Int, vectors: Int) -> Int {
    var cost = 0
    forEach(of: rowCount, upTo: tileRows) { _, rows in cost &+= max(rows, 8 / max(vectors, 1)) }
    return cost
  }

  /// Calls `body` with the first row and the height of each tile; heights from `anyFrom` on may be any.
  @inline(__always)
  static func forEach(
    of rowCount: Int, upTo tileRows: Int, anyFrom least: Int = .max,
    _ body: (_ row: Int, _ rows: Int) -> Void
  ) {
    var row = 0
    while row < rowCount {
      let remaining = rowCount &- row
      let lower = (remaining &+ leastRows &- 1) / leastRows &* leastRows
      let rows =
        rowCount >= least
        ? min(max(remaining, least), tileRows)
        : rowCount >= tileRows && lower >= tileRows ? tileRows : leastRows
      row = min(row, rowCount &- rows)
      body(row, rows)
      row &+= rows
    }
  }
}
