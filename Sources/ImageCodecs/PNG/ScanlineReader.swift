// SPDX-License-Identifier: Apache-2.0

/// The rows of a picture, one at a time: inflated and with their filters undone.
///
/// Inflating stops when the picture has its bytes. What a file compresses beyond them is left
/// alone, as other decoders do; a stream that stops sooner, or whose checksum disagrees, throws.
struct ScanlineReader {
  /// The row that `next` has read.
  private(set) var row: [UInt8] = []

  /// The rows of the pass read so far.
  private(set) var rowCount = 0

  private var above: [UInt8] = []
  private let filterStride: Int
  private var compressed: CompressedRows
  private var uninflatedCount: Int

  // Rows are short, and zlib is quicker with long runs.
  private var block: [UInt8]
  private var blockStart = 0
  private var blockEnd = 0

  private static let blockByteCount = 1 << 16

  /// - Parameters:
  ///   - compressed: The stream that holds the rows.
  ///   - filterStride: How many bytes back a filter looks for "left".
  ///   - byteCount: The bytes of all rows with their filter types.
  init(_ compressed: CompressedRows, filterStride: Int, byteCount: Int) {
    self.compressed = compressed
    self.filterStride = filterStride
    uninflatedCount = byteCount
    block = Array(repeating: 0, count: min(byteCount, ScanlineReader.blockByteCount))
  }

  /// The chunk that is being read.
  var location: PNGError.Location { compressed.location }

  /// Begins a pass, whose first row has nothing above it.
  mutating func startPass(rowByteCount: Int) {
    row = Array(repeating: 0, count: rowByteCount)
    above = row
    rowCount = 0
  }

  /// Reads the next row of the pass into `row`.
  mutating func next(in file: Span<UInt8>) throws(PNGError) {
    if blockEnd - blockStart < 1 + row.count { try refill(in: file) }
    let filterType = block[blockStart]
    guard let filter = RowFilter(rawValue: filterType) else {
      throw PNGError(.filterType(filterType, row: rowCount), at: location)
    }
    swap(&row, &above)
    let filtered = blockStart + 1..<blockStart + 1 + row.count
    filter.undo(block[filtered], above: above, stride: filterStride, into: &row)
    blockStart = filtered.upperBound
    rowCount += 1
  }

  /// Checks that the compressed data ends as it must, once all rows are read.
  mutating func finish(in file: Span<UInt8>) throws(PNGError) {
    var surplus: [UInt8] = [0]
    guard try compressed.inflate(in: file, into: &surplus, range: 0..<1) != nil else {
      throw PNGError(.imageDataTooShort(row: rowCount), at: location)
    }
  }

  /// Moves the rest of the block to its front and inflates behind it, at least to a row's end.
  private mutating func refill(in file: Span<UInt8>) throws(PNGError) {
    let restCount = blockEnd - blockStart
    for index in 0..<restCount { block[index] = block[blockStart + index] }
    blockStart = 0
    blockEnd = restCount
    let wanted = 1 + row.count
    if block.count < wanted {
      block.append(contentsOf: repeatElement(0, count: wanted - block.count))
    }
    while blockEnd < wanted {
      let range = blockEnd..<min(block.count, blockEnd + uninflatedCount)
      guard let count = try compressed.inflate(in: file, into: &block, range: range), count > 0
      else { throw PNGError(.imageDataTooShort(row: rowCount), at: location) }
      blockEnd += count
      uninflatedCount -= count
    }
  }
}
