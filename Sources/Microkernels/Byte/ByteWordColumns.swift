// SPDX-License-Identifier: Apache-2.0

/// A depthwise part of a wide level in `columns` order: square windows of `size`, an odd number of,
/// rows that move by `step`, 1 or 2.
///
/// A column's pixels are loaded once and serve all windows that hold it. Those of the last row are
/// interleaved with the column before, those of the other rows two rows at a time. The loop carries
/// the sums of the outputs that still lack columns, and completes two outputs per round.
@usableFromInline
package enum ByteWordColumns<Level: ByteWordInstructions, let size: Int, let step: Int> {
  @usableFromInline package typealias Tile = ByteWordTile<Level>
  @usableFromInline package typealias Sums = InlineArray<size, Tile.Pair>
  @usableFromInline package typealias Rows = InlineArray<size, UnsafePointer<UnsafeRawPointer>>

  /// Writes the part's sums, or its quantized values where it is to be scaled.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, areSigned: Bool) {
    let bias = unsafe Tile.load(part.panel)
    let first = unsafe task.pixels + part.first &* step
    var rows = unsafe Rows { unsafe first + task.window.rowOffsets[$0] }
    var sums = Sums(repeating: bias)
    var last = bias.low
    for reach in 0..<size &- step {
      unsafe add(part, &rows, &sums, &last, reach: reach, areSigned: areSigned)
    }
    let isScaled = unsafe part.isScaled
    // Sums have no scales: any memory will do.
    var finish = unsafe task.finish
    if !isScaled { unsafe (finish.table, finish.planeStride) = (part.panel, 0) }
    let scaling = unsafe ByteWordFinish<Level>(finish, column: isScaled ? part.position : 0)
    let pitch = unsafe isScaled ? task.outputStride : Tile.pairByteCount
    var output =
      unsafe isScaled ? task.output + (part.first &* pitch &+ part.channel) : part.sums
    let end = unsafe output + part.count &* pitch
    while unsafe output + pitch < end {
      let first = unsafe next(part, &rows, &sums, &last, areSigned: areSigned)
      let second = unsafe next(part, &rows, &sums, &last, areSigned: areSigned)
      unsafe store(first, second, output, output + pitch, scaling, isScaled: isScaled)
      unsafe output += 2 &* pitch
    }
    if unsafe output < end {
      let only = unsafe next(part, &rows, &sums, &last, areSigned: areSigned)
      unsafe store(only, only, output, output, scaling, isScaled: isScaled)
    }
  }

  /// Writes two pixels' sums or quantized values.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func store(
    _ first: Tile.Pair, _ second: Tile.Pair, _ even: UnsafeMutableRawPointer,
    _ odd: UnsafeMutableRawPointer, _ scaling: ByteWordFinish<Level>, isScaled: Bool
  ) {
    if isScaled {
      unsafe Level.storeByTurns(scaling.values(first, second, inSteps: false), even, odd)
    } else {
      unsafe Tile.store(first, to: even)
      unsafe Tile.store(second, to: odd)
    }
  }

  /// Adds the columns that the first of the outputs still lacks, and returns its sums.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func next(
    _ part: ByteDepthwisePart, _ rows: inout Rows, _ sums: inout Sums, _ last: inout Level.Vector,
    areSigned: Bool
  ) -> Tile.Pair {
    for reach in size &- step..<size {
      unsafe add(part, &rows, &sums, &last, reach: reach, areSigned: areSigned)
    }
    let first = sums[0]
    for output in 0..<size &- 1 { sums[output] = sums[output &+ 1] }
    sums[size &- 1] = unsafe Tile.load(part.panel)
    return first
  }

  /// Adds the products of the next column, which is the window's column `reach` for the first of
  /// the outputs.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func add(
    _ part: ByteDepthwisePart, _ rows: inout Rows, _ sums: inout Sums, _ last: inout Level.Vector,
    reach: Int, areSigned: Bool
  ) {
    let weights = unsafe part.panel + Tile.pairByteCount
    for pair in 0..<size / 2 {
      let upper = unsafe load(part, &rows[2 &* pair], areSigned: areSigned)
      let lower = unsafe load(part, &rows[2 &* pair &+ 1], areSigned: areSigned)
      let words = Level.pairs(upper, lower)
      for output in 0...reach / step {
        let group = (reach &- output &* step) &* (size / 2) &+ pair
        sums[output] = unsafe Tile.dot(sums[output], words, weights + group &* Tile.pairByteCount)
      }
    }
    let row = unsafe load(part, &rows[size &- 1], areSigned: areSigned)
    let words = Level.pairs(last, row)
    for output in 0...reach / step where (reach &- output &* step) % 2 == 0 {
      let group = size &* (size / 2) &+ (reach &- output &* step) / 2
      sums[output] = unsafe Tile.dot(sums[output], words, weights + group &* Tile.pairByteCount)
    }
    last = row
  }

  /// The words of a row's next pixel.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func load(
    _ part: ByteDepthwisePart, _ row: inout UnsafePointer<UnsafeRawPointer>, areSigned: Bool
  ) -> Level.Vector {
    let words = unsafe Level.loadActivations(row.pointee + part.channel, areSigned: areSigned)
    unsafe row += 1
    return words
  }
}
