// SPDX-License-Identifier: Apache-2.0

/// How one direction of an image is cut into tiles of one length that overlap.
///
/// Of two neighbors, each keeps its half of what they have in common, since what lies near the edge
/// of a tile is computed without its surroundings.
package struct TileRow: Sendable, Equatable {
  /// A tile, and the part of it that is kept, both in pixels of the image.
  package struct Tile: Sendable, Equatable {
    /// The tile's first pixel.
    package let start: Int
    /// The pixels that are kept.
    package let kept: Range<Int>
  }

  /// The tiles, from the first pixel to the last; together they keep every pixel once.
  package let tiles: [Tile]

  /// The tiles of `length` pixels; the last one is moved back to end with them.
  ///
  /// - Parameters:
  ///   - length: the image's pixels in this direction, 1 or more.
  ///   - tile: the pixels of a tile.
  ///   - overlap: the pixels that tiles lose at inner edges, less than half of the tile.
  package init(length: Int, tile: Int, overlap: Int) {
    precondition(length >= 1 && tile >= 1 && overlap >= 0 && 2 * overlap < tile)
    var tiles: [Tile] = []
    var start = 0
    var kept = 0
    while start + tile < length {
      let end = start + tile - overlap
      tiles.append(Tile(start: start, kept: kept..<end))
      kept = end
      start = min(start + tile - 2 * overlap, length - tile)
    }
    tiles.append(Tile(start: start, kept: kept..<length))
    self.tiles = tiles
  }
}
