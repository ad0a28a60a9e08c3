// SPDX-License-Identifier: Apache-2.0

/// The rows of an image, one at a time: inflated and with their filters undone.
///
/// Inflating stops when the image has its bytes. What a file compresses beyond them is left
/// alone, as other decoders do; a stream that stops sooner, or whose checksum disagrees, throws.
struct ScanlineReader {
  /// The row that `next` has read.
  private(set) var row: [UInt8] = []

  /// The rows of the pass read so far.
  private(set) var rowCount = 0

  private var above: [UInt8] = []
  private let filterStride: Int
  private var compressed: CompressedRows

  // Inflated bytes, of which those before `start` are used up.
  private var block: [UInt8] = []
  private var start = 0

  /// Rows from a stream, whose filters look for "left" so many bytes back.
  init(_ compressed: CompressedRows, filterStride: Int) {
    self.compressed = compressed
    self.filterStride = filterStride
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
    if block.count - start < 1 + row.count { try refill(in: file) }
    let filterType = block[start]
    guard let filter = RowFilter(rawValue: filterType) else {
      throw PNGError(.filterType(filterType, row: rowCount), at: location)
    }
    swap(&row, &above)
    let filtered = start + 1..<start + 1 + row.count
    filter.undo(block[filtered], above: above, stride: filterStride, into: &row)
    start = filtered.upperBound
    rowCount += 1
  }

  /// Checks that the compressed data ends as it must, once all rows are read.
  mutating func finish(in file: Span<UInt8>) throws(PNGError) {
    var hasSurplus = start < block.count
    if !hasSurplus { hasSurplus = try compressed.inflate(in: file, appendingTo: &block) }
    guard hasSurplus || compressed.hasEnded else {
      throw PNGError(.imageDataTooShort(row: rowCount), at: location)
    }
  }

  /// Drops what is used up and inflates at least to the end of a row.
  private mutating func refill(in file: Span<UInt8>) throws(PNGError) {
    block.removeFirst(start)
    start = 0
    while block.count < 1 + row.count {
      guard try compressed.inflate(in: file, appendingTo: &block) else {
        throw PNGError(.imageDataTooShort(row: rowCount), at: location)
      }
    }
  }
}
