// SPDX-License-Identifier: Apache-2.0

package import Imaging

/// The size of tiles, and what they lose at inner edges.
package struct TileShape: Sendable, Equatable {
  /// Columns of a tile.
  package let width: Int
  /// Rows of a tile.
  package let height: Int
  /// The pixels that a tile loses at inner edges.
  package let overlap: Int

  /// Tiles of a size, twice the overlap being less than either side.
  package init(width: Int, height: Int, overlap: Int) {
    self.width = width
    self.height = height
    self.overlap = overlap
  }
}

/// An image of the images that are made of its tiles.
package struct TiledTransformation {
  private let image: PixelBuffer
  private let tile: TileShape

  /// The tiles of an image; a smaller one is continued to the size of a tile.
  package init(_ image: PixelBuffer, tile: TileShape) {
    self.image = image
    self.tile = tile
  }

  /// Puts together what `body` makes of each tile.
  ///
  /// - Parameter body: gives an image that is a whole number of times as large as the tile, the
  ///   same for all.
  /// - Returns: an image that is as many times larger than this one.
  /// - Throws: `VisionError.incompatibleModel` where images are of other sizes.
  package func image(
    _ body: (PixelBuffer) throws(VisionError) -> PixelBuffer
  ) throws(VisionError) -> PixelBuffer {
    let columns = try tiles(of: image.width, tile.width)
    let rows = try tiles(of: image.height, tile.height)
    var result: PixelBuffer?
    var scale = 1
    for row in rows.tiles {
      for column in columns.tiles {
        let part = try body(try cut(column, row))
        if result == nil {
          scale = part.width / tile.width
          result = try blank(part.format, scale: scale)
        }
        guard scale >= 1, part.width == scale * tile.width, part.height == scale * tile.height
        else {
          throw .incompatibleModel(
            "Tiles of \(tile.width)x\(tile.height) pixels become \(part.width)x\(part.height), which is no whole number of times as large."
          )
        }
        do throws(ImagingError) {
          let kept = try part.cropped(
            to: PixelRect(
              x: scale * (column.kept.lowerBound - column.start),
              y: scale * (row.kept.lowerBound - row.start), width: scale * column.kept.count,
              height: scale * row.kept.count))
          try result?.place(
            kept, x: scale * column.kept.lowerBound, y: scale * row.kept.lowerBound)
        } catch {
          throw .image(error)
        }
      }
    }
    return result ?? image
  }

  /// The tiles of one direction; a single one loses nothing.
  private func tiles(of length: Int, _ side: Int) throws(VisionError) -> TileRow {
    let overlap = length > side ? tile.overlap : 0
    guard side >= 1, overlap >= 0, overlap < (side + 1) / 2 else {
      throw .invalidOption("tiles must have more pixels a side than twice their overlap")
    }
    return TileRow(length: length, tile: side, overlap: overlap)
  }

  private func cut(_ column: TileRow.Tile, _ row: TileRow.Tile) throws(VisionError) -> PixelBuffer {
    do throws(ImagingError) {
      let width = min(tile.width, image.width - column.start)
      let height = min(tile.height, image.height - row.start)
      return try image.cropped(
        to: PixelRect(x: column.start, y: row.start, width: width, height: height)
      ).continued(toWidth: tile.width, height: tile.height)
    } catch {
      throw .image(error)
    }
  }

  private func blank(_ format: PixelFormat, scale: Int) throws(VisionError) -> PixelBuffer {
    let (width, overflow) = image.width.multipliedReportingOverflow(by: scale)
    let (height, tooHigh) = image.height.multipliedReportingOverflow(by: scale)
    guard !overflow, !tooHigh else { throw .image(.size(width: image.width, height: image.height)) }
    do throws(ImagingError) {
      return try PixelBuffer(width: width, height: height, format: format, filledWith: .black)
    } catch {
      throw .image(error)
    }
  }
}
