// SPDX-License-Identifier: Apache-2.0

extension ByteMicrokernels {
  /// Computes a block of a product.
  ///
  /// Each row tile is copied to scratch memory once (taps behind each other, unsigned) and then
  /// meets every panel of the block.
  @unsafe
  package func gemm(_ task: ByteGemmTask) {
    let depth = unsafe task.tapCount &* task.depth
    let rowStride = layout.rowStride(depth)
    let hasTerms = unsafe task.rowSumFactor != 0
    let tileRows = unsafe layout.tileRows(of: task.rowCount)
    let termsOffset = tileRows &* rowStride &+ layout.termsOffset(tileRows)
    let terms = unsafe (task.scratch + termsOffset).assumingMemoryBound(to: Int32.self)
    for row in unsafe stride(from: 0, to: task.rowCount, by: layout.tileRows) {
      let rows = unsafe min(task.rowCount &- row, layout.tileRows)
      unsafe copyRows(
        ByteRowsTask(
          block: task, row: row, rows: rows, destination: task.scratch, stride: rowStride))
      if hasTerms {
        for r in 0..<rows {
          let sum = unsafe rowSum(task.scratch + r &* rowStride, depth: depth)
          unsafe terms[r] = sum &* task.rowSumFactor
        }
      }
      unsafe multiply(
        task, row: row, rows: rows, rowStride: rowStride, terms: terms, hasTerms: hasTerms)
    }
  }

  /// One row tile times all panels of the block.
  private func multiply(
    _ task: ByteGemmTask, row: Int, rows: Int, rowStride: Int, terms: UnsafePointer<Int32>,
    hasTerms: Bool
  ) {
    let wordCount = unsafe layout.wordCount(task.tapCount &* task.depth)
    let half = layout.panelWidth / 2
    let panelByteCount = (wordCount &+ 1) &* layout.panelWidth &* 4
    let sums = unsafe task.scratch + layout.tileRows(of: task.rowCount) &* rowStride
    var part = unsafe ByteTileTask(
      rows: rows, left: task.scratch, stride: rowStride, wordCount: wordCount,
      terms: terms, panel: task.weights, sums: sums)
    // Full tiles keep their sums in registers until they are quantized values.
    let scaledTile = unsafe rows == layout.tileRows && task.finish.form == .fast ? scaledTile : nil
    var scaled = unsafe ByteScaledTileTask(
      tile: part, finish: task.finish, column: 0, output: task.output + row &* task.outputStride,
      outputStride: task.outputStride)
    var column = 0
    while unsafe column < task.columnCount {
      let isWhole = unsafe task.columnCount &- column >= layout.panelWidth
      if isWhole, let scaledTile = unsafe scaledTile,
        unsafe task.finish.exceptions.isEmpty(in: column..<column &+ layout.panelWidth)
      {
        unsafe scaled.tile.panel = part.panel
        unsafe scaled.column = column
        unsafe scaledTile(scaled, hasTerms)
      } else {
        let vectors = unsafe task.columnCount &- column > half ? 2 : 1
        unsafe tile(part, vectors)
        if hasTerms { unsafe add(terms, to: sums, rows: rows, width: vectors &* half) }
        unsafe finish(task, sums, row: row, rows: rows, column: column, vectors: vectors)
      }
      unsafe part.panel += panelByteCount
      unsafe scaled.output += layout.panelWidth
      column &+= layout.panelWidth
    }
  }

  /// The sum of a copied row's activations.
  private func rowSum(_ row: UnsafeRawPointer, depth: Int) -> Int32 {
    var sum: Int32 = 0
    for index in 0..<depth {
      sum &+= Int32(unsafe row.load(fromByteOffset: index, as: UInt8.self))
    }
    return sum
  }

  /// Adds each row's term to its sums.
  private func add(
    _ terms: UnsafePointer<Int32>, to sums: UnsafeMutableRawPointer, rows: Int, width: Int
  ) {
    let sums = unsafe sums.assumingMemoryBound(to: Int32.self)
    for row in 0..<rows {
      for column in 0..<width { unsafe sums[row &* width &+ column] &+= terms[row] }
    }
  }

  /// Turns a tile's sums into output.
  private func finish(
    _ task: ByteGemmTask, _ sums: UnsafeMutableRawPointer, row: Int, rows: Int,
    column: Int, vectors: Int
  ) {
    let width = vectors &* layout.panelWidth / 2
    let columns = unsafe min(task.columnCount &- column, width)
    let stride = unsafe task.outputStride
    let output = unsafe task.output + row &* stride
    switch unsafe task.finish.form {
    case .fast:
      let values = unsafe sums + layout.valuesOffset(layout.tileRows(of: task.rowCount))
      unsafe scale(
        ByteScaleTask(
          finish: task.finish, column: column, sums: sums, values: values,
          quadCount: (rows &* vectors &+ 3) / 4, order: vectors == 2 ? .two : .one))
      unsafe copyTile(
        values, width: width, to: output + column, stride: stride, rows: rows, columns: columns)
      unsafe task.finish.exceptions.forEach(in: column..<column &+ columns) {
        position, column, factor in
        for r in 0..<rows {
          unsafe task.finish.finishException(
            factor, sums + (r &* width &+ position) &* 4, to: output + (r &* stride &+ column))
        }
      }
    case .real:
      for r in 0..<rows {
        unsafe finishReally(
          RealFinish(
            task.finish, sums + r &* width &* 4, count: columns, column: column,
            to: output + (r &* stride &+ column)))
      }
    case .exact:
      for r in 0..<rows {
        unsafe finishExactly(
          task.finish, sums + r &* width &* 4, count: columns, firstColumn: column,
          to: output + (r &* stride &+ column))
      }
    case .sums:
      unsafe copyTile(
        sums, width: width &* 4, to: output + column &* 4, stride: stride, rows: rows,
        columns: columns &* 4)
    }
  }
}

/// The first `columns` bytes of each row of a dense tile, to rows of another stride.
func copyTile(
  _ tile: UnsafeRawPointer, width: Int, to output: UnsafeMutableRawPointer, stride: Int,
  rows: Int, columns: Int
) {
  // The sizes of whole panels as constants, so that rows become a few vector moves.
  switch (columns, width) {
  case (32, 32): unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 32)
  case (16, 16): unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 16)
  case (8, 8): unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: 8)
  default: unsafe copyRows(tile, width, output, stride, rows: rows, byteCount: columns)
  }
}

@inline(__always)
private func copyRows(
  _ source: UnsafeRawPointer, _ sourceStride: Int, _ target: UnsafeMutableRawPointer,
  _ targetStride: Int, rows: Int, byteCount: Int
) {
  for row in 0..<rows {
    unsafe (target + row &* targetStride).copyMemory(
      from: source + row &* sourceStride, byteCount: byteCount)
  }
}
