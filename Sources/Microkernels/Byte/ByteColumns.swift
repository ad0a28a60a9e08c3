// SPDX-License-Identifier: Apache-2.0

/// Rows of quantized values whose columns are summed.
@unsafe
@frozen
@usableFromInline
package struct ByteColumns {
  /// The first row.
  @usableFromInline package var input: UnsafeRawPointer
  /// Bytes from one row to the next.
  @usableFromInline package var stride: Int
  /// Rows.
  @usableFromInline package var rowCount: Int
  /// Columns of a row.
  @usableFromInline package var columnCount: Int
  /// Whether quantized values are `Int8` rather than `UInt8`.
  @usableFromInline package var isSigned: Bool

  /// Rows of these parts.
  package init(
    input: UnsafeRawPointer, stride: Int, rowCount: Int, columnCount: Int, isSigned: Bool
  ) {
    unsafe self.input = input
    unsafe self.stride = stride
    unsafe self.rowCount = rowCount
    unsafe self.columnCount = columnCount
    unsafe self.isSigned = isSigned
  }
}

/// Sums of up to a vector's bytes of columns, as unsigned quantized values and in the order of
/// interleaved bytes and words.
@_alwaysEmitIntoClient
@inline(__always)
package func sumColumns<Level: ByteLaneInstructions>(
  _ rows: ByteColumns, to sums: UnsafeMutableRawPointer, _: Level.Type
) {
  if unsafe rows.columnCount >= Level.byteCount {
    unsafe sumColumns(rows, to: sums, isWhole: true, Level.self)
  } else {
    unsafe sumColumns(rows, to: sums, isWhole: false, Level.self)
  }
}

@_alwaysEmitIntoClient
@inline(__always)
func sumColumns<Level: ByteLaneInstructions>(
  _ rows: ByteColumns, to output: UnsafeMutableRawPointer, isWhole: Bool, _: Level.Type
) {
  let zero = Level.broadcast(0)
  let flip = Level.broadcast(byte: unsafe rows.isSigned ? 0x80 : 0)
  var sums = (zero, zero, zero, zero)
  var input = unsafe rows.input
  var left = unsafe rows.rowCount
  while left > 0 {
    // 256 · 255 fits a word.
    var part = min(left, 256)
    left &-= part
    var words = (low: zero, high: zero)
    while part > 0 {
      let values =
        unsafe isWhole ? Level.load(input) : Level.loadPrefix(input, count: rows.columnCount)
      let row = Level.interleaveBytes(Level.flip(values, flip), zero)
      words = (Level.addWords(words.low, row.low), Level.addWords(words.high, row.high))
      unsafe input += rows.stride
      part &-= 1
    }
    let low = Level.interleaveWords(words.low, zero)
    let high = Level.interleaveWords(words.high, zero)
    sums = (
      Level.add(sums.0, low.low), Level.add(sums.1, low.high), Level.add(sums.2, high.low),
      Level.add(sums.3, high.high)
    )
  }
  let step = Level.byteCount
  unsafe output.storeBytes(of: sums.0, as: Level.Vector.self)
  unsafe output.storeBytes(of: sums.1, toByteOffset: step, as: Level.Vector.self)
  unsafe output.storeBytes(of: sums.2, toByteOffset: 2 &* step, as: Level.Vector.self)
  unsafe output.storeBytes(of: sums.3, toByteOffset: 3 &* step, as: Level.Vector.self)
}
