// SPDX-License-Identifier: Apache-2.0

/// Columns of 32-bit words, each of them contiguous, that are to lie side by side.
@unsafe
struct WordColumns {
  /// The first word of the first column.
  let address: UnsafeRawPointer
  /// Bytes from one column to the next.
  let stride: Int
  /// Columns, a multiple of four.
  let count: Int
  /// Words of each column, a multiple of four.
  let rowCount: Int

  init(_ address: UnsafeRawPointer, stride: Int, count: Int, rowCount: Int) {
    unsafe self.address = address
    unsafe self.stride = stride
    unsafe self.count = count
    unsafe self.rowCount = rowCount
  }

  /// Words of a column in a block: each column gives a cache line, and what is written stays in
  /// the first-level cache until its lines are full.
  static let blockRows = 16

  /// Bytes of columns that are copied before they are transposed.
  private static let stagedByteCount = 1 << 17

  /// Calls `body` for blocks of four columns and at most `blockRows` rows, which have been copied.
  ///
  /// Memory is fastest when it is read in order, as a copy does, but four columns in turn do not.
  @inline(__always)
  func forEachBlock(_ body: (Block) -> Void) {
    guard unsafe count > 0, unsafe rowCount > 0 else { return }
    let step = unsafe min(max(Self.stagedByteCount / (count &* 4) & ~3, 4), rowCount)
    unsafe withUnsafeTemporaryAllocation(byteCount: count &* step &* 4, alignment: 64) { buffer in
      guard let stage = buffer.baseAddress else { return }
      for start in unsafe Swift.stride(from: 0, to: rowCount, by: step) {
        let staged = unsafe min(step, rowCount &- start)
        unsafe copyRows(start..<start &+ staged, to: stage)
        for row in unsafe Swift.stride(from: 0, to: staged, by: Self.blockRows) {
          for column in unsafe Swift.stride(from: 0, to: count, by: 4) {
            unsafe body(
              Block(
                address: UnsafeRawPointer(stage) + (column &* staged &+ row) &* 4,
                columnStride: staged &* 4, column: column, row: start &+ row,
                rowCount: min(Self.blockRows, staged &- row)))
          }
        }
      }
    }
  }

  /// Copies some rows of all columns, one column behind the other.
  private func copyRows(_ rows: Range<Int>, to target: UnsafeMutableRawPointer) {
    let byteCount = rows.count &* 4
    if unsafe byteCount == stride {
      unsafe target.copyMemory(from: address, byteCount: count &* byteCount)
      return
    }
    for column in unsafe 0..<count {
      unsafe (target + column &* byteCount).copyMemory(
        from: address + column &* stride + rows.lowerBound &* 4, byteCount: byteCount)
    }
  }

  /// Some rows of four columns.
  @unsafe
  struct Block {
    /// The first word of the first column.
    let address: UnsafeRawPointer
    /// Bytes from one column to the next.
    let columnStride: Int
    /// The first column.
    let column: Int
    /// The first row.
    let row: Int
    /// Rows, a multiple of four.
    let rowCount: Int

    /// Four rows of the columns from `row` of the block on, a multiple of four.
    @inline(__always)
    func rows(from row: Int) -> FourRows {
      unsafe FourRows(transposing: address + row &* 4, columnStride: columnStride)
    }
  }
}

/// Four words each of four rows.
struct FourRows {
  /// The rows.
  var rows: (SIMD4<UInt32>, SIMD4<UInt32>, SIMD4<UInt32>, SIMD4<UInt32>)

  /// Four words each of four columns, from `source` on.
  @inline(__always)
  init(transposing source: UnsafeRawPointer, columnStride: Int) {
    let a = unsafe source.loadUnaligned(as: SIMD4<UInt32>.self)
    let b = unsafe source.loadUnaligned(fromByteOffset: columnStride, as: SIMD4<UInt32>.self)
    let c = unsafe source.loadUnaligned(fromByteOffset: 2 &* columnStride, as: SIMD4<UInt32>.self)
    let d = unsafe source.loadUnaligned(fromByteOffset: 3 &* columnStride, as: SIMD4<UInt32>.self)
    let lowAB = SIMD4(a[0], b[0], a[1], b[1])
    let highAB = SIMD4(a[2], b[2], a[3], b[3])
    let lowCD = SIMD4(c[0], d[0], c[1], d[1])
    let highCD = SIMD4(c[2], d[2], c[3], d[3])
    rows = (
      SIMD4(lowHalf: lowAB.lowHalf, highHalf: lowCD.lowHalf),
      SIMD4(lowHalf: lowAB.highHalf, highHalf: lowCD.highHalf),
      SIMD4(lowHalf: highAB.lowHalf, highHalf: highCD.lowHalf),
      SIMD4(lowHalf: highAB.highHalf, highHalf: highCD.highHalf)
    )
  }
  /// Stores the rows.
  @inline(__always)
  func store(to target: UnsafeMutableRawPointer, rowStride: Int) {
    unsafe target.storeBytes(of: rows.0, as: SIMD4<UInt32>.self)
    unsafe target.storeBytes(of: rows.1, toByteOffset: rowStride, as: SIMD4<UInt32>.self)
    unsafe target.storeBytes(of: rows.2, toByteOffset: 2 &* rowStride, as: SIMD4<UInt32>.self)
    unsafe target.storeBytes(of: rows.3, toByteOffset: 3 &* rowStride, as: SIMD4<UInt32>.self)
  }
}
