// SPDX-License-Identifier: Apache-2.0

/// A float matrix as the right operand of a product: any strides, and a bias per column.
@unsafe
package struct FloatMatrixSource {
  /// The first weight.
  package var weights: UnsafePointer<Float>
  /// Floats from one column to the next.
  package var columnStride: Int
  /// Floats from one row to the next.
  package var depthStride: Int
  /// Columns.
  package var columnCount: Int
  /// Rows: the terms of each sum.
  package var depth: Int
  /// A bias per column, or nil for zeroes.
  package var bias: UnsafePointer<Float>?

  /// A matrix of these parts.
  package init(
    weights: UnsafePointer<Float>, columnStride: Int, depthStride: Int, columnCount: Int,
    depth: Int, bias: UnsafePointer<Float>? = nil
  ) {
    unsafe self.weights = weights
    unsafe self.columnStride = columnStride
    unsafe self.depthStride = depthStride
    unsafe self.columnCount = columnCount
    unsafe self.depth = depth
    unsafe self.bias = bias
  }
}

extension FloatGemmLayout {
  /// Bytes of a whole panel of `depth` rows.
  package func panelByteCount(depth: Int) -> Int { (depth + 1) * panelWidth * 4 }

  /// Bytes from the first panel to that of `column`, a multiple of the panel width.
  package func panelOffset(of column: Int, depth: Int) -> Int {
    column / panelWidth * panelByteCount(depth: depth)
  }

  /// Bytes of a packed matrix.
  package func packedByteCount(columnCount: Int, depth: Int) -> Int {
    roundedUp(columnCount, to: laneCount) * (depth + 1) * 4
  }

  /// Packs a matrix into panels: per panel its columns' biases, then row after row its columns'
  /// weights, with zeroes for the columns that the last panel lacks.
  @unsafe
  package func pack(_ source: FloatMatrixSource, into target: UnsafeMutableRawPointer) {
    var panel = unsafe target
    for first in unsafe stride(from: 0, to: source.columnCount, by: panelWidth) {
      let count = unsafe min(source.columnCount - first, panelWidth)
      let width = width(columnCount: count)
      let rows = unsafe panel.assumingMemoryBound(to: Float.self)
      if count < width {
        unsafe rows.update(repeating: 0, count: width &* (source.depth &+ 1))
      }
      for column in 0..<count { unsafe rows[column] = source.bias?[first + column] ?? 0 }
      if unsafe source.columnStride == 1 {
        unsafe packRows(source, first..<first + count, to: rows + width, width: width)
      } else {
        unsafe packColumns(source, first..<first + count, to: rows + width, width: width)
      }
      unsafe panel += panelByteCount(depth: source.depth)
    }
  }

  private func packRows(
    _ source: FloatMatrixSource, _ columns: Range<Int>, to target: UnsafeMutablePointer<Float>,
    width: Int
  ) {
    var weights = unsafe source.weights + columns.lowerBound
    var position = unsafe target
    for _ in unsafe 0..<source.depth {
      unsafe position.update(from: weights, count: columns.count)
      unsafe position += width
      unsafe weights += source.depthStride
    }
  }

  private func packColumns(
    _ source: FloatMatrixSource, _ columns: Range<Int>, to target: UnsafeMutablePointer<Float>,
    width: Int
  ) {
    let quads = unsafe source.depthStride == 1 ? columns.count & ~3 : 0
    let whole = unsafe quads > 0 ? source.depth & ~3 : 0
    let words = unsafe WordColumns(
      UnsafeRawPointer(source.weights + columns.lowerBound &* source.columnStride),
      stride: source.columnStride &* 4, count: quads, rowCount: whole)
    unsafe words.forEachBlock { block in
      var position = unsafe UnsafeMutableRawPointer(target + (block.row &* width &+ block.column))
      for row in unsafe stride(from: 0, to: block.rowCount, by: 4) {
        unsafe block.rows(from: row).store(to: position, rowStride: width &* 4)
        unsafe position += 16 &* width
      }
    }
    for column in columns {
      let first = column - columns.lowerBound < quads ? whole : 0
      unsafe packColumn(
        source, column, first..<source.depth, to: target + (column - columns.lowerBound),
        width: width)
    }
  }

  @inline(__always)
  private func packColumn(
    _ source: FloatMatrixSource, _ column: Int, _ rows: Range<Int>,
    to target: UnsafeMutablePointer<Float>, width: Int
  ) {
    let first = unsafe column &* source.columnStride &+ rows.lowerBound &* source.depthStride
    var weights = unsafe source.weights + first
    var position = unsafe target + rows.lowerBound &* width
    for _ in rows {
      unsafe position.pointee = weights.pointee
      unsafe position += width
      unsafe weights += source.depthStride
    }
  }
}

/// A float matrix packed for one level's products.
package struct PackedFloatMatrix: Sendable {
  private let memory: AlignedMemory
  private let offset: Int
  private let layout: FloatGemmLayout
  /// Rows: the terms of each sum.
  package let depth: Int
  /// Columns.
  package let columnCount: Int

  /// `source`, packed into memory from `allocate`.
  @unsafe
  package init(
    _ source: FloatMatrixSource, _ layout: FloatGemmLayout,
    allocate: AlignedMemory.Allocation = AlignedMemory.init(zeroed:)
  ) {
    let byteCount = unsafe layout.packedByteCount(
      columnCount: source.columnCount, depth: source.depth)
    let memory = allocate(byteCount)
    unsafe layout.pack(source, into: memory.address)
    unsafe self.init(
      layout, columnCount: source.columnCount, depth: source.depth, in: memory, at: 0)
  }

  /// The matrix that has been packed in a part of `memory` that starts at `offset`, a multiple of a
  /// cache line.
  ///
  /// - Precondition: the part has the layout's `packedByteCount`.
  package init(
    _ layout: FloatGemmLayout, columnCount: Int, depth: Int, in memory: AlignedMemory,
    at offset: Int
  ) {
    self.layout = layout
    self.memory = memory
    self.offset = offset
    self.depth = depth
    self.columnCount = columnCount
    let byteCount = layout.packedByteCount(columnCount: columnCount, depth: depth)
    precondition(memory.byteCount - byteCount >= offset, "a matrix fits its memory")
  }

  /// The panel that starts with `column`, a multiple of the panel width.
  @unsafe
  package func panel(from column: Int) -> UnsafeRawPointer {
    let start = unsafe UnsafeRawPointer(memory.address) + offset
    return unsafe start + layout.panelOffset(of: column, depth: depth)
  }
}
