// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

/// The tiles that the output of a 3 × 3 convolution falls into, line by line through its images.
struct WinogradTiles: Sendable {
  /// How large tiles are.
  let size: WinogradTileSize
  /// Tiles in all.
  let count: Int
  private let rows: WindowAxis
  private let columns: WindowAxis
  private let lineCount: Int
  private let columnCount: Int

  /// The tiles of the images of `nest`.
  init(_ nest: Conv2DNest, _ size: WinogradTileSize) {
    self.size = size
    rows = nest.geometry.rows
    columns = nest.geometry.columns
    lineCount = roundedUp(rows.output, to: size.outputCount) / size.outputCount
    columnCount = roundedUp(columns.output, to: size.outputCount) / size.outputCount
    count = nest.batchCount * lineCount * columnCount
  }

  /// A tile's position in the output.
  struct Location {
    /// The image.
    let image: Int
    /// The first output line.
    let row: Int
    /// The first output column.
    let column: Int
  }

  /// The location of tile `index`.
  func location(_ index: Int) -> Location {
    let (line, column) = index.quotientAndRemainder(dividingBy: columnCount)
    let (image, row) = line.quotientAndRemainder(dividingBy: lineCount)
    return Location(
      image: image, row: row * size.outputCount, column: column * size.outputCount)
  }

  /// How many tiles of `range` from `index` on lie next to each other.
  func neighborCount(_ index: Int, in range: Range<Int>) -> Int {
    min(columnCount - index % columnCount, range.upperBound - index)
  }

  /// Writes pointers to the input pixels of a tile, line by line; those outside the image are
  /// `padding`.
  func locate(
    _ location: Location, input: UnsafeRawPointer, pixelByteCount: Int, padding: UnsafeRawPointer,
    pixels: UnsafeMutablePointer<UnsafeRawPointer>
  ) {
    let length = size.inputCount
    let (firstRow, firstColumn) = (rows.origin(location.row), columns.origin(location.column))
    var pixels = unsafe pixels
    for row in firstRow..<firstRow + length {
      guard row >= 0 && row < rows.input else {
        unsafe fill(pixels, count: length, from: padding, step: 0)
        unsafe pixels += length
        continue
      }
      let line = (location.image * rows.input + row) * columns.input
      for column in firstColumn..<firstColumn + length {
        let isInside = column >= 0 && column < columns.input
        unsafe pixels.initialize(
          to: isInside ? input + (line + column) * pixelByteCount : padding)
        unsafe pixels += 1
      }
    }
  }

  /// The first element of a tile in the output, in pixels.
  func firstOutput(_ location: Location) -> Int {
    (location.image * rows.output + location.row) * columns.output + location.column
  }

  /// The lines of a tile that the output has.
  func rowCount(_ location: Location) -> Int { min(size.outputCount, rows.output - location.row) }

  /// The columns of a tile, or of so many neighbors from there on, that the output has.
  func columnCount(_ location: Location, neighbors: Int = 1) -> Int {
    min(size.outputCount * neighbors, columns.output - location.column)
  }

  /// Pixels in a line of the output.
  var outputWidth: Int { columns.output }
}
