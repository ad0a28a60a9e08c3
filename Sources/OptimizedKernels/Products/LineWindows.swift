// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

/// The windows of a convolution of few channels, line by line of output pixels.
///
/// The rows of pixels that a block's windows reach are copied, padded, to scratch memory. There each
/// row of a window is a run of neighboring elements, and the runs of neighboring windows lie at
/// equal distances: windows are read where they overlap, without a copy of each.
struct LineWindows: Sendable {
  /// Bytes of a block's copied rows, about: they stay in the first-level cache.
  private static let memoryLimit = 24 * 1024
  /// Nanoseconds that an output pixel takes besides its products, roughly.
  private static let nanosecondsPerPixel = 2.0

  /// How windows slide over rows of pixels, and over pixels, those of one row of a window next to
  /// each other.
  let rows: WindowAxis
  let columns: WindowAxis
  /// Elements of a pixel, of one group.
  let pixelDepth: Int
  /// Groups of channels, each with windows of its own.
  let groupCount: Int
  /// The output pixels as lines of images, where the windows are one pixel each.
  let pixels: RowPixels?
  /// Whether lines are columns, not rows, of output pixels, as narrow images take less time then.
  let goesDown: Bool
  let imageCount: Int

  /// The windows of `geometry`, whose unused taps are left out, over pixels of `depth` elements for
  /// each of `groupCount` groups; nil where neighboring taps of a row are not neighbors in the image,
  /// and for lines of less output pixels than the lowest tile has.
  ///
  /// `tileRows` are the rows of the highest, which is so many vectors wide.
  init?(
    _ geometry: WindowGeometry, depth: Int, groupCount: Int = 1, imageCount: Int, tileRows: Int,
    vectors: Int = 2
  ) {
    let (rows, columns) = (geometry.rows, geometry.columns)
    guard columns.dilation == 1 || columns.window == 1, rows.input > 0, columns.input > 0 else {
      return nil
    }
    if rows.readsEachOnce, columns.readsEachOnce {
      // Windows of one pixel: the image is a single line.
      let count = geometry.outputCount
      self.rows = WindowAxis(input: 1, window: 1, output: 1, padding: 0)
      self.columns = WindowAxis(input: count, window: 1, output: count, padding: 0)
      pixelDepth = depth
      pixels = RowPixels(imageCount: imageCount, lineCount: rows.output, width: columns.output)
    } else if columns.output == 1, columns.padding == 0, columns.window == columns.input,
      rows.dilation == 1 || rows.window == 1, groupCount == 1
    {
      // Windows as wide as the image: its rows are the pixels of a single line.
      self.rows = WindowAxis(input: 1, window: 1, output: 1, padding: 0)
      self.columns = rows
      pixelDepth = columns.input * depth
      pixels = nil
    } else {
      self.rows = rows
      self.columns = columns
      pixelDepth = depth
      pixels = nil
    }
    self.groupCount = groupCount
    self.imageCount = imageCount
    let (height, width) = (self.rows.output, self.columns.output)
    func cost(_ length: Int) -> Int {
      LineTiles.cost(of: length, upTo: tileRows, vectors: vectors)
    }
    goesDown =
      height > width
      && (width < LineTiles.leastRows || 8 * cost(width) * height > 9 * cost(height) * width)
    guard height > 0, width > 0, max(height, width) >= LineTiles.leastRows else { return nil }
  }

  /// Whether images are a single line each.
  var isLine: Bool { rows.input == 1 && rows.window == 1 }

  /// Elements of a row of a window.
  var rowDepth: Int { columns.window * pixelDepth }

  /// Output pixels in all.
  var pixelCount: Int { imageCount * rows.output * columns.output }

  /// How long all products take, roughly, if the weights of each group have so many bytes.
  func nanoseconds(weightByteCount: Int) -> Double {
    let weights = Double(weightByteCount) / ProductSize.weightsPerNanosecond
    return Double(groupCount) * Double(pixelCount) * (weights + Self.nanosecondsPerPixel)
  }

  /// How outputs are cut into blocks for so many workers, if elements take so many bytes and the
  /// weights so many in all; lines are cut into parts of at least `leastLength` pixels.
  func blocks(
    elementByteCount: Int, weightByteCount: Int, leastLength: Int, workerCount: Int
  ) -> LineBlocks {
    let limit = Self.memoryLimit / max(pixelDepth * elementByteCount, 1)
    let width = limit / rows.reach(1)
    let most = width < columns.window ? 1 : (width - columns.window) / columns.stride + 1
    let mostColumnParts = goesDown ? columns.output : max(columns.output / leastLength, 1)
    let mostRowParts = goesDown ? max(rows.output / leastLength, 1) : rows.output
    var columnParts = min((columns.output + most - 1) / most, mostColumnParts)
    let height = limit / columns.reach((columns.output + columnParts - 1) / columnParts)
    let mostLines = max((height - rows.reach(1)) / rows.stride + 1, 1)
    let nanoseconds = nanoseconds(weightByteCount: weightByteCount)
    let rowParts = min(
      WorkShare.parts(
        atLeast: (rows.output + mostLines - 1) / mostLines,
        ofEach: imageCount * columnParts,
        nanoseconds: nanoseconds, workerCount: workerCount),
      mostRowParts)
    columnParts = min(
      WorkShare.parts(
        atLeast: columnParts, ofEach: imageCount * rowParts,
        nanoseconds: nanoseconds, workerCount: workerCount),
      mostColumnParts)
    return LineBlocks(
      imageCount: imageCount, rowCount: rows.output, rowParts: rowParts,
      columnCount: columns.output, columnParts: columnParts)
  }
}

extension WindowAxis {
  /// Whether each position has one element of the input, each element its position.
  var readsEachOnce: Bool {
    window == 1 && stride == 1 && padding == 0 && output == input
  }
}

/// How the lines of images are cut into blocks of neighboring lines, or of parts of them.
struct LineBlocks {
  let imageCount: Int
  let rowCount: Int
  let rowParts: Int
  let columnCount: Int
  let columnParts: Int

  /// Blocks in all.
  var count: Int { imageCount * rowParts * columnParts }
  /// The most lines and pixels of a line that a block has.
  var most: (rows: Int, columns: Int) {
    ((rowCount + rowParts - 1) / rowParts, (columnCount + columnParts - 1) / columnParts)
  }

  /// The image of a block, and the lines and the pixels that it has of it.
  func block(_ index: Int) -> (image: Int, rows: Range<Int>, columns: Range<Int>) {
    let (line, part) = index.quotientAndRemainder(dividingBy: columnParts)
    let (image, rows) = line.quotientAndRemainder(dividingBy: rowParts)
    return (image, share(rows, of: rowParts, rowCount), columns(part))
  }

  /// The pixels of a line that its part has.
  func columns(_ part: Int) -> Range<Int> { share(part, of: columnParts, columnCount) }
}
