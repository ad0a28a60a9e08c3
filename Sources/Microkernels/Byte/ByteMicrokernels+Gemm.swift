// SPDX-License-Identifier: Apache-2.0

extension ByteMicrokernels {
  /// Computes a block of a product.
  ///
  /// Each row tile is copied to scratch memory once, taps behind each other, and then meets every
  /// panel of the block.
  @unsafe
  package func gemm(_ task: ByteGemmTask) {
    let hasTerms = unsafe task.weights.rowSumFactor != 0
    var rows = unsafe ByteRowsTask(task, layout)
    var tile = unsafe ByteScaledTileTask(task, rows, layout)
    let output = unsafe ByteTileOutput(tile)
    let isRegular = unsafe output.isRegular
    let mayInterleave =
      unsafe isRegular && layout.interleavesRows && !hasTerms
      && (task.tapCount == 1 || task.depth % 16 == 0)
    let takesAll = unsafe takesAll(output)
    let terms = unsafe UnsafeMutablePointer(mutating: tile.tile.terms)
    let vectors = unsafe vectors(task.columnCount)
    let step = unsafe layout.copiedRows(wordCount: tile.tile.wordCount)
    for row in unsafe stride(from: 0, to: task.rowCount, by: step) {
      let count = unsafe min(task.rowCount &- row, step)
      unsafe tile.tile.rows = count
      let isScaled = unsafe scalesTiles(tile.tile, task.finish)
      unsafe rows.rows = count
      unsafe rows.areInterleaved = mayInterleave && isScaled
      unsafe copyRows(rows)
      if hasTerms { unsafe writeTerms(of: rows, task.weights.rowSumFactor, to: terms) }
      unsafe tile.tile.areInterleaved = rows.areInterleaved
      if count == 1 && isRegular {
        unsafe self.row(tile, hasTerms)
      } else if isScaled && takesAll {
        unsafe scale(tile, vectors: vectors, hasTerms: hasTerms)
      } else {
        unsafe multiply(tile.tile, hasTerms: hasTerms, ByteTileOutput(tile))
      }
      unsafe rows.pointers += count
      unsafe tile.output += step &* task.outputStride
    }
  }

  /// Whether the tiles of all columns are computed at once: not where one vector would do for the last
  /// of several.
  private func takesAll(_ output: ByteTileOutput) -> Bool {
    unsafe output.isRegular
      && output.regularColumns(from: 0, panelWidth: layout.panelWidth) == output.columnCount
  }

  /// Vectors of a tile of so many columns, or of the first of several.
  private func vectors(_ columnCount: Int) -> Int { columnCount > layout.panelWidth / 2 ? 2 : 1 }

  /// The block of `task` as a single row; nil where it has several, or columns that are finished
  /// apart.
  ///
  /// Where the row, the output and the scratch memory are does not matter.
  @unsafe
  package func singleRow(_ task: ByteGemmTask) -> ByteSingleRow? {
    guard unsafe task.rowCount == 1 else { return nil }
    let rows = unsafe ByteRowsTask(task, layout)
    let tile = unsafe ByteScaledTileTask(task, rows, layout)
    guard unsafe ByteTileOutput(tile).isRegular else { return nil }
    return unsafe ByteSingleRow(rows, tile, task)
  }

  /// Computes a single row: `gemm` without what is the same in every run.
  @unsafe
  package func multiply(
    _ row: ByteSingleRow, _ pointers: UnsafePointer<UnsafeRawPointer>,
    to output: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer
  ) {
    var rows = unsafe row.rows
    unsafe rows.pointers = pointers
    unsafe rows.destination = scratch
    unsafe copyRows(rows)
    var tile = unsafe row.tile
    unsafe tile.output = output
    unsafe tile.tile.left = UnsafeRawPointer(scratch)
    unsafe tile.tile.sums = scratch + row.sumsOffset
    let terms = unsafe (scratch + row.termsOffset).assumingMemoryBound(to: Int32.self)
    unsafe tile.tile.terms = UnsafePointer(terms)
    let hasTerms = row.rowSumFactor != 0
    if hasTerms { unsafe writeTerms(of: rows, row.rowSumFactor, to: terms) }
    unsafe self.row(tile, hasTerms)
  }

  /// What copied rows add to their sums.
  private func writeTerms(
    of rows: ByteRowsTask, _ factor: Int32, to terms: UnsafeMutablePointer<Int32>
  ) {
    let depth = unsafe rows.tapCount &* rows.depth
    for row in unsafe 0..<rows.rows {
      let sum = unsafe rowSum(rows.destination + row &* rows.stride, depth: depth)
      unsafe terms[row] = sum &* factor
    }
  }

  /// Computes lines of a product of windows.
  @unsafe
  package func multiply(_ task: ByteLineTask) {
    let hasTerms = unsafe task.weights.rowSumFactor != 0
    var tile = unsafe ByteScaledTileTask(task, layout)
    let terms = unsafe UnsafeMutablePointer(mutating: tile.tile.terms)
    // Lines are cut into tiles that all have the height to be scaled at once.
    let takesAll = unsafe takesAll(ByteTileOutput(tile)) && scalesTiles(tile.tile, task.finish)
    let takesMatrixTiles = unsafe layout.takesMatrixTiles(
      wordCount: task.wordCount, tapCount: task.tapCount)
    let vectors = unsafe vectors(task.columnCount)
    for line in unsafe 0..<task.lineCount {
      let start = unsafe task.left + line &* task.lineStride
      let output = unsafe task.output + line &* task.outputLineStride
      unsafe LineTiles.forEach(
        of: task.rowCount, upTo: tile.tile.rows,
        anyFrom: takesMatrixTiles ? ByteGemmLayout.leastMatrixRows : .max
      ) { row, rows in
        unsafe tile.tile.rows = rows
        unsafe tile.tile.left = start + row &* task.stride
        unsafe tile.output = output + row &* task.outputStride
        if hasTerms { unsafe writeTerms(task, tile.tile.left, rows: rows, to: terms) }
        if takesAll {
          unsafe scale(tile, vectors: vectors, hasTerms: hasTerms)
        } else {
          unsafe multiply(tile.tile, hasTerms: hasTerms, ByteTileOutput(tile))
        }
      }
    }
  }

  /// What the rows of a tile from `left` on add to their sums.
  private func writeTerms(
    _ task: ByteLineTask, _ left: UnsafeRawPointer, rows: Int, to terms: UnsafeMutablePointer<Int32>
  ) {
    for row in 0..<rows {
      var sum: Int32 = 0
      for tap in unsafe 0..<task.tapCount {
        unsafe sum &+= wordSum(
          left + (row &* task.stride &+ tap &* task.tapStride), wordCount: task.wordCount)
      }
      unsafe terms[row] = sum &* task.weights.rowSumFactor
    }
  }

  /// One row tile times all panels of the block, from `first`'s on.
  private func multiply(_ first: ByteTileTask, hasTerms: Bool, _ output: ByteTileOutput) {
    let (width, half) = (layout.panelWidth, layout.panelWidth / 2)
    let panelByteCount = unsafe layout.form(isCompact: first.isCompact).byteCount(
      width: width, wordCount: first.tapCount &* first.wordCount)
    var part = unsafe first
    // Asked once, and the function is called where it is: copying it would count references.
    let isScaled = unsafe scalesTiles(part, output.finish)
    var scaled = unsafe ByteScaledTileTask(part, output, panelByteCount: panelByteCount)
    var column = 0
    while unsafe column < output.columnCount {
      var columns = isScaled ? unsafe output.regularColumns(from: column, panelWidth: width) : 0
      if columns > 0 {
        unsafe scaled.tile.panel = part.panel
        unsafe scaled.column = column
        unsafe scaled.columnCount = columns
        unsafe scale(scaled, vectors: columns > half ? 2 : 1, hasTerms: hasTerms)
      } else {
        columns = unsafe min(output.columnCount &- column, width)
        let vectors = columns > half ? 2 : 1
        if unsafe output.finish.form == .sums && columns == vectors &* half && !hasTerms {
          var whole = unsafe part
          unsafe whole.sums = output.address + column &* 4
          unsafe whole.sumStride = output.stride
          unsafe sum(whole, vectors: vectors)
        } else {
          unsafe sum(part, vectors: vectors)
          if hasTerms {
            unsafe add(part.terms, to: part.sums, rows: part.rows, width: vectors &* half)
          }
          unsafe finish(part, output, column: column, vectors: vectors)
        }
      }
      let panels = (columns &+ width &- 1) &>> layout.panelShift
      unsafe part.panel += panels &* panelByteCount
      unsafe scaled.output += panels &* width
      column &+= panels &* width
    }
  }

  /// The sum of a copied row's activations.
  private func rowSum(_ row: UnsafeRawPointer, depth: Int) -> Int32 {
    let whole = depth & ~3
    var sum = unsafe wordSum(row, wordCount: whole / 4)
    for index in whole..<depth {
      let byte = unsafe row.load(fromByteOffset: index, as: UInt8.self)
      sum &+= layout.signsActivations ? Int32(Int8(bitPattern: byte)) : Int32(byte)
    }
    return sum
  }

  /// The sum of the activations in some 32-bit words, fewer than 2^24.
  @inline(__always)
  private func wordSum(_ words: UnsafeRawPointer, wordCount: Int) -> Int32 {
    let flip: UInt32 = layout.signsActivations ? 0x8080_8080 : 0
    let offset = layout.signsActivations ? 4 * 128 &* Int32(truncatingIfNeeded: wordCount) : 0
    var sum: UInt32 = 0
    for index in 0..<wordCount {
      let word = unsafe words.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self) ^ flip
      let pairs = (word & 0x00FF_00FF) &+ ((word &>> 8) & 0x00FF_00FF)
      sum &+= (pairs & 0xFFFF) &+ (pairs &>> 16)
    }
    return Int32(truncatingIfNeeded: sum) &- offset
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
  func finish(
    _ tile: ByteTileTask, _ output: ByteTileOutput, column: Int, vectors: Int
  ) {
    let width = vectors &* layout.panelWidth / 2
    let columns = unsafe min(output.columnCount &- column, width)
    let (sums, rows) = unsafe (tile.sums, tile.rows)
    let (address, stride) = unsafe (output.address, output.stride)
    switch unsafe output.finish.form {
    case .fast:
      let values = unsafe sums + layout.valuesOffset(rows)
      unsafe scale(
        ByteScaleTask(
          finish: output.finish, column: column, sums: sums, values: values,
          quadCount: (rows &* vectors &+ 3) / 4, order: vectors == 2 ? .two : .one))
      unsafe copyTile(
        values, width: width, to: address + column, stride: stride, rows: rows, columns: columns)
      unsafe output.finish.exceptions.forEach(in: column..<column &+ columns) {
        position, column, factor in
        for r in 0..<rows {
          unsafe output.finish.finishException(
            factor, sums + (r &* width &+ position) &* 4, to: address + (r &* stride &+ column))
        }
      }
    case .real:
      unsafe finishReally(
        RealFinish(
          output.finish, sums, rowCount: rows, sumStride: width &* 4, count: columns,
          column: column, to: address + column, outputStride: stride))
    case .exact:
      for r in 0..<rows {
        unsafe finishExactly(
          output.finish, sums + r &* width &* 4, count: columns, firstColumn: column,
          to: address + (r &* stride &+ column))
      }
    case .sums:
      unsafe copyTile(
        sums, width: width &* 4, to: address + column &* 4, stride: stride, rows: rows,
        columns: columns &* 4)
    }
  }
}

/// A block of a single row whose columns are all finished alike, as far as it is the same in every run.
///
/// An object, since a structure of so many parts would be copied in each run.
@safe
package final class ByteSingleRow: Sendable {
  fileprivate nonisolated(unsafe) let rows: ByteRowsTask
  fileprivate nonisolated(unsafe) let tile: ByteScaledTileTask
  fileprivate let rowSumFactor: Int32
  /// Where the scratch memory has sums, and what the row adds to them.
  fileprivate let sumsOffset: Int
  fileprivate let termsOffset: Int

  fileprivate init(_ rows: ByteRowsTask, _ tile: ByteScaledTileTask, _ task: ByteGemmTask) {
    unsafe self.rows = rows
    unsafe self.tile = tile
    unsafe rowSumFactor = task.weights.rowSumFactor
    unsafe sumsOffset = tile.tile.sums - task.scratch
    unsafe termsOffset = UnsafeRawPointer(tile.tile.terms) - UnsafeRawPointer(task.scratch)
  }
}

/// Where the values of a row tile go.
@unsafe
struct ByteTileOutput {
  /// Columns of the block.
  let columnCount: Int
  /// How sums become output.
  let finish: ByteFinish
  /// Where the tile's first row goes.
  let address: UnsafeMutableRawPointer
  /// Bytes from one output row to the next.
  let stride: Int

  /// Whether no column's sums are finished apart.
  var isRegular: Bool {
    switch unsafe finish.form {
    case .fast: unsafe finish.exceptions.isEmpty(in: 0..<columnCount)
    case .real, .sums: true
    case .exact: false
    }
  }

  /// Columns from `column`, which a panel begins with, that are scaled in tiles of two vectors; those
  /// of the last panel where one vector holds them; none if an exception is in the first panel.
  func regularColumns(from column: Int, panelWidth: Int) -> Int {
    let end = unsafe finish.exceptions.first(from: column, before: columnCount)
    let columns = end &- column
    // A power of two.
    let rest = columns & (panelWidth &- 1)
    let isLast = unsafe end == columnCount && (rest > panelWidth / 2 || columns < panelWidth)
    return isLast ? columns : columns &- rest
  }
}

extension ByteRowsTask {
  /// Tiles of a block's rows, from the first one on.
  fileprivate init(_ task: ByteGemmTask, _ layout: ByteGemmLayout) {
    unsafe self.init(
      pointers: task.rows, pitch: task.rowPitch, tapCount: task.tapCount, depth: task.depth,
      activationFlip: task.activationFlip,
      rows: min(
        task.rowCount,
        layout.copiedRows(wordCount: layout.wordCount(task.tapCount &* task.depth))),
      destination: task.scratch, stride: layout.rowStride(task.tapCount &* task.depth),
      areInterleaved: false)
  }
}

extension ByteTileOutput {
  /// Where the tile's columns go.
  fileprivate init(_ tile: ByteScaledTileTask) {
    unsafe self.init(
      columnCount: tile.columnCount, finish: tile.finish, address: tile.output,
      stride: tile.outputStride)
  }
}

extension ByteScaledTileTask {
  /// All columns of a block's tiles of copied rows, from the first one on.
  fileprivate init(_ task: ByteGemmTask, _ rows: ByteRowsTask, _ layout: ByteGemmLayout) {
    let sums = unsafe rows.destination + rows.rows &* rows.stride
    let wordCount = unsafe layout.wordCount(task.tapCount &* task.depth)
    let form = unsafe layout.form(isCompact: task.weights.isCompact)
    unsafe self.init(
      tile: ByteTileTask(
        rows: rows.rows, left: rows.destination, stride: rows.stride, wordCount: wordCount,
        terms: (sums + layout.termsOffset(rows.rows)).assumingMemoryBound(to: Int32.self),
        panels: task.weights, sums: sums),
      finish: task.finish,
      panelByteCount: form.byteCount(width: layout.panelWidth, wordCount: wordCount),
      column: 0, columnCount: task.columnCount, output: task.output,
      outputStride: task.outputStride)
  }

  /// All columns of tiles of a line, from the first one on.
  fileprivate init(_ task: ByteLineTask, _ layout: ByteGemmLayout) {
    let sums = unsafe task.scratch
    let tileRows = unsafe layout.tileRows(wordCount: task.wordCount, tapCount: task.tapCount)
    let terms = unsafe sums + layout.termsOffset(tileRows)
    let form = unsafe layout.form(isCompact: task.weights.isCompact)
    unsafe self.init(
      tile: ByteTileTask(
        rows: tileRows, left: task.left, stride: task.stride, tapCount: task.tapCount,
        tapStride: task.tapStride, wordCount: task.wordCount,
        terms: terms.assumingMemoryBound(to: Int32.self), panels: task.weights, sums: sums),
      finish: task.finish,
      panelByteCount: form.byteCount(
        width: layout.panelWidth, wordCount: task.tapCount &* task.wordCount),
      column: 0, columnCount: task.columnCount, output: task.output,
      outputStride: task.outputStride)
  }

  /// All columns of a block's tile.
  fileprivate init(_ tile: ByteTileTask, _ output: ByteTileOutput, panelByteCount: Int) {
    unsafe self.init(
      tile: tile, finish: output.finish, panelByteCount: panelByteCount, column: 0,
      columnCount: output.columnCount,
      output: output.address, outputStride: output.stride)
  }
}
