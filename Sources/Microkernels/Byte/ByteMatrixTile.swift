// SPDX-License-Identifier: Apache-2.0

/// The tile of the byte product in registers that hold matrices: of up to two of them high, and as
/// wide as one vector of columns or two.
///
/// Where rows are no multiple of a register's, the lower registers reach back: what two of them have
/// is computed twice.
@usableFromInline
package enum ByteMatrixTile<
  Tiles: TileInstructions, Level: ByteInstructions, let vectors: Int
> {
  /// Rows whose sums are scaled together: `ByteGemmLayout.leastMatrixRows`, which every tile has.
  @usableFromInline typealias ScaledRows = ByteTile<Level, 8, vectors>

  /// Bytes of a row of sums, or of the weights for a word of activations.
  @_alwaysEmitIntoClient
  @inline(__always)
  static var rowByteCount: Int { vectors &* Level.byteCount }

  /// Writes the sums of a panel's columns, without the rows' terms.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(_ task: ByteTileTask) {
    var registers = unsafe registers(task)
    let stride = unsafe task.sumStride == 0 ? rowByteCount : task.sumStride
    var row = 0
    while let tile = unsafe nextTile(task, &row) {
      var part = unsafe task
      unsafe part.left += tile.row &* task.stride
      unsafe part.rows = tile.height
      unsafe multiply(part, &registers, to: task.sums + tile.row &* stride, stride: stride)
    }
    Tiles.release(&registers)
  }

  /// Writes the quantized values of the task's columns, panel after panel, by the fast form of
  /// `ByteFinish`.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func runScaled(_ task: ByteScaledTileTask, inSteps: Bool, hasTerms: Bool) {
    var registers = unsafe registers(task.tile)
    var panel = unsafe task
    repeat {
      var row = 0
      while let tile = unsafe nextTile(task.tile, &row) {
        var part = unsafe panel
        unsafe part.moveDown(by: tile.row)
        unsafe part.tile.rows = tile.height
        unsafe multiply(part.tile, &registers, to: part.tile.sums, stride: rowByteCount)
        unsafe scale(part, inSteps: inSteps, hasTerms: hasTerms)
      }
    } while unsafe panel.moveOn(by: vectors &* Level.laneCount)
    Tiles.release(&registers)
  }

  /// The next of the tiles that a task's rows are cut into, if there is one.
  ///
  /// All have as many rows as a register or more; the last one may reach back.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func nextTile(_ task: ByteTileTask, _ row: inout Int) -> (row: Int, height: Int)? {
    let rows = unsafe task.rows
    guard row < rows else { return nil }
    let first = min(row, max(rows &- TileShape.side, 0))
    let height = min(rows &- first, 2 &* TileShape.side)
    row = first &+ height
    return (first, height)
  }

  /// Multiply-adds of a round of `peak`.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var peakProducts: Int { 4 * 4 * TileShape.side * TileShape.side * TileShape.side }

  /// Rounds of a product in each of four registers.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func peak(_ rounds: Int) -> Int32 {
    let zeros = SIMD16<Int32>(repeating: 0)
    var sums = SIMD16<Int32>(repeating: 0)
    let side = TileShape.side
    var registers = Tiles.registers(TileShape(rows: side, lastWords: 0))
    unsafe withUnsafeBytes(of: zeros) { zeros in
      guard let zeros = zeros.baseAddress else { return }
      for index in 0..<4 { unsafe Tiles.loadSums(&registers, index, zeros, stride: 0) }
      unsafe Tiles.loadActivations(&registers, zeros, stride: 0, areLast: false)
      unsafe Tiles.loadWeights(&registers, zeros, stride: 0, areLast: false)
    }
    var round = 0
    while round < rounds {
      for index in 0..<4 { Tiles.addProducts(&registers, index, areLast: false) }
      round &+= 1
    }
    unsafe withUnsafeMutableBytes(of: &sums) { sums in
      guard let sums = sums.baseAddress else { return }
      for index in 0..<4 { unsafe Tiles.storeSums(&registers, index, sums, stride: 0) }
    }
    Tiles.release(&registers)
    return sums[0]
  }

  /// Registers of the shape of a tile's operands.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func registers(_ task: ByteTileTask) -> Tiles.Registers {
    let side = TileShape.side
    return unsafe Tiles.registers(
      TileShape(rows: min(task.rows, side), lastWords: task.wordCount & (side &- 1)))
  }

  /// Writes a panel's sums.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func multiply(
    _ task: ByteTileTask, _ registers: inout Tiles.Registers, to sums: UnsafeMutableRawPointer,
    stride: Int
  ) {
    if unsafe task.rows > TileShape.side {
      unsafe multiply(task, &registers, isHigh: true)
    } else {
      unsafe multiply(task, &registers, isHigh: false)
    }
    unsafe Tiles.storeSums(&registers, 0, sums, stride: stride)
    if vectors == 2 {
      unsafe Tiles.storeSums(&registers, 1, sums + Level.byteCount, stride: stride)
    }
    guard unsafe task.rows > TileShape.side else { return }
    let lower = unsafe sums + (task.rows &- TileShape.side) &* stride
    unsafe Tiles.storeSums(&registers, 2, lower, stride: stride)
    if vectors == 2 {
      unsafe Tiles.storeSums(&registers, 3, lower + Level.byteCount, stride: stride)
    }
  }

  /// Computes a panel's sums, in two registers for each vector of columns if the tile is high.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func multiply(
    _ task: ByteTileTask, _ registers: inout Tiles.Registers, isHigh: Bool
  ) {
    for index in 0..<(isHigh ? 4 : 2) where index & 1 < vectors {
      unsafe Tiles.loadSums(
        &registers, index, task.panel + (index & 1) &* Level.byteCount, stride: 0)
    }
    let side = TileShape.side
    var weights = unsafe task.panel + rowByteCount
    var tap = unsafe task.left
    for _ in unsafe 0..<task.tapCount {
      var left = unsafe tap
      let end = unsafe left + task.wordCount / side &* side &* 4
      while unsafe left < end {
        unsafe addProducts(task, left, weights, &registers, isHigh: isHigh, areLast: false)
        unsafe left += side &* 4
        unsafe weights += side &* rowByteCount
      }
      let rest = unsafe task.wordCount & (side &- 1)
      if rest > 0 {
        unsafe addProducts(task, left, weights, &registers, isHigh: isHigh, areLast: true)
        unsafe weights += rest &* rowByteCount
      }
      unsafe tap += task.tapStride
    }
  }

  /// Adds the products of one register's words of activations.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func addProducts(
    _ task: ByteTileTask, _ left: UnsafeRawPointer, _ weights: UnsafeRawPointer,
    _ registers: inout Tiles.Registers, isHigh: Bool, areLast: Bool
  ) {
    let stride = unsafe task.stride
    unsafe Tiles.loadActivations(&registers, left, stride: stride, areLast: areLast)
    unsafe Tiles.loadWeights(&registers, weights, stride: rowByteCount, areLast: areLast)
    Tiles.addProducts(&registers, 0, areLast: areLast)
    if vectors == 2 {
      unsafe Tiles.loadWeights(
        &registers, weights + Level.byteCount, stride: rowByteCount, areLast: areLast)
      Tiles.addProducts(&registers, 1, areLast: areLast)
    }
    guard isHigh else { return }
    let lower = unsafe left + (task.rows &- TileShape.side) &* stride
    unsafe Tiles.loadActivations(&registers, lower, stride: stride, areLast: areLast)
    if vectors == 2 {
      Tiles.addProducts(&registers, 3, areLast: areLast)
      unsafe Tiles.loadWeights(&registers, weights, stride: rowByteCount, areLast: areLast)
    }
    Tiles.addProducts(&registers, 2, areLast: areLast)
  }

  /// Writes the quantized values of a panel's sums, some rows at a time.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func scale(_ task: ByteScaledTileTask, inSteps: Bool, hasTerms: Bool) {
    var part = unsafe task
    let rows = unsafe task.tile.rows
    // Where only part of a panel's columns are output, values go by way of the memory behind the sums.
    unsafe part.tile.sums = task.tile.sums + rows &* rowByteCount
    var row = 0
    while row < rows {
      row = min(row, rows &- ScaledRows.rows)
      let first = row
      let sums = InlineArray<8, ScaledRows.Row> { index in
        let address = unsafe task.tile.sums + (first &+ index) &* rowByteCount
        return InlineArray { vector in
          let sum = unsafe Level.load(address + vector &* Level.byteCount)
          guard hasTerms else { return sum }
          return unsafe Level.add(sum, Level.broadcast(task.tile.terms[first &+ index]))
        }
      }
      unsafe part.output = task.output + row &* task.outputStride
      unsafe ScaledRows.store(sums, part, inSteps: inSteps)
      row &+= ScaledRows.rows
    }
  }
}
