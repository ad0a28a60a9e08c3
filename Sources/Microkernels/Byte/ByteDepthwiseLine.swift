// SPDX-License-Identifier: Apache-2.0

/// How groups of four taps cover a window in `columns` order.
///
/// Each column's rows are taken by fours. A single row that is left has groups of its own instead,
/// of four columns each, the last of which ends with the row.
@frozen
@usableFromInline
package struct ByteTapGroups: Sendable {
  /// Groups of each column's rows.
  @usableFromInline package let perColumn: Int
  /// Groups of the columns of the last row.
  @usableFromInline package let ofLastRow: Int
  /// Columns of the window.
  @usableFromInline package let columnCount: Int

  /// The groups of a window of so many rows, repeated ones included.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init(rows: Int, columns: Int) {
    let leavesOne = rows > 4 && rows % 4 == 1 && columns >= 4
    perColumn = leavesOne ? rows / 4 : (rows &+ 3) / 4
    ofLastRow = leavesOne ? (columns &+ 3) / 4 : 0
    columnCount = columns
  }

  /// Groups of the rows of all columns, which come before those of the last row.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var ofColumns: Int { columnCount &* perColumn }

  /// All groups.
  package var count: Int { ofColumns + ofLastRow }

  /// The first column of one of the last row's groups.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func firstColumn(ofLast index: Int) -> Int { min(index &* 4, columnCount &- 4) }
}

/// A depthwise part in `columns` order whose windows are too large for registers: the columns of a
/// line of windows are interleaved in memory, each once, and `outputs` windows at a time read them
/// there.
@usableFromInline
package enum ByteDepthwiseLine<Level: ByteInstructions, let outputs: Int> {
  @usableFromInline package typealias Quad = InlineArray<4, Level.Vector>

  /// Bytes of four interleaved vectors.
  @_alwaysEmitIntoClient
  @inline(__always)
  static var quadByteCount: Int { 4 &* Level.byteCount }

  /// Writes the quantized values, or the sums, of the outputs from `first` on, whose columns are
  /// interleaved.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func multiply(
    _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, _ line: InterleavedLine, first: Int,
    inSteps: Bool
  ) {
    let step = unsafe task.window.step &* quadByteCount
    let groups = unsafe line.groups
    let bias = unsafe quad(part.panel)
    var sums = InlineArray<outputs, Quad>(repeating: bias)
    var weights = unsafe part.panel + quadByteCount
    var pixels = unsafe line.columns + first &* step &* groups.perColumn
    for _ in 0..<groups.ofColumns {
      unsafe add(&sums, pixels, pitch: step &* groups.perColumn, quad(weights))
      unsafe pixels += quadByteCount
      unsafe weights += quadByteCount
    }
    unsafe pixels = line.lastRow + first &* step
    for index in 0..<groups.ofLastRow {
      let start = unsafe pixels + groups.firstColumn(ofLast: index) &* quadByteCount
      unsafe add(&sums, start, pitch: step, quad(weights))
      unsafe weights += quadByteCount
    }
    unsafe store(sums, task, part, first: first, inSteps: inSteps)
  }

  /// Adds the products of a group of taps to the sums of outputs whose pixels are `pitch` bytes apart.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func add(
    _ sums: inout InlineArray<outputs, Quad>, _ pixels: UnsafeRawPointer, pitch: Int,
    _ weights: Quad
  ) {
    for o in 0..<outputs {
      for v in 0..<4 {
        let pixel = unsafe Level.load(pixels + (o &* pitch &+ v &* Level.byteCount))
        sums[o][v] = Level.dot(sums[o][v], pixel, weights[v])
      }
    }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func store(
    _ sums: InlineArray<outputs, Quad>, _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart,
    first: Int, inSteps: Bool
  ) {
    if unsafe !part.isScaled {
      return unsafe ByteDepthwiseTile<Level, outputs>.store(
        sums, to: part.sums + first &* quadByteCount)
    }
    let finish = unsafe ByteQuadFinish<Level>(task.finish, column: part.position)
    let pitch = unsafe task.outputStride
    let output = unsafe task.output + ((part.first &+ first) &* pitch &+ part.channel)
    unsafe finish.store(sums[0], to: output, inSteps: inSteps)
    if outputs == 4 {
      unsafe finish.store(sums[1], to: output + pitch, inSteps: inSteps)
      unsafe finish.store(sums[2], to: output + 2 &* pitch, inSteps: inSteps)
      unsafe finish.store(sums[3], to: output + 3 &* pitch, inSteps: inSteps)
    }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func quad(_ address: UnsafeRawPointer) -> Quad {
    Quad { unsafe Level.load(address + $0 &* Level.byteCount) }
  }
}

/// The columns of a line of windows, interleaved in memory.
@unsafe
@frozen
@usableFromInline
struct InterleavedLine {
  @usableFromInline let groups: ByteTapGroups
  /// The groups of each column's rows, column after column.
  @usableFromInline let columns: UnsafeMutableRawPointer
  /// For each column, the group of the last row that begins there.
  @usableFromInline let lastRow: UnsafeMutableRawPointer
  /// Columns.
  @usableFromInline let count: Int

  /// The columns under the part's windows.
  @_alwaysEmitIntoClient
  @inline(__always)
  init<Level: ByteInstructions>(
    _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, _: Level.Type
  ) {
    let window = unsafe task.window
    unsafe groups = ByteTapGroups(rows: window.rowCount, columns: window.columnCount)
    unsafe count = (part.count &- 1) &* window.step &+ window.columnCount
    unsafe columns = part.line
    unsafe lastRow = part.line + count &* groups.perColumn &* 4 &* Level.byteCount
  }
}

/// Interleaves the columns under a part's windows.
@_alwaysEmitIntoClient
@inline(__always)
package func interleaveLine<Level: ByteInstructions>(
  _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, isWhole: Bool, flips: Bool,
  _ level: Level.Type
) {
  let window = unsafe task.window
  let line = unsafe InterleavedLine(task, part, level)
  let size = 4 &* Level.byteCount
  let perColumn = unsafe line.groups.perColumn
  let groupCount = unsafe perColumn &+ (line.groups.ofLastRow > 0 ? 1 : 0)
  let pixels = unsafe task.pixels + part.first &* window.step
  let last = unsafe window.rowCount &- 1
  for group in 0..<groupCount {
    // In place of rows that there are not, whose weights are zero, the last; the last group may have
    // neighboring columns of the last row instead.
    let goesRight = group == perColumn
    var rows = unsafe InterleavedRows(
      first: pixels + window.rowOffsets[group &* 4],
      second: pixels + window.rowOffsets[min(group &* 4 &+ 1, last)] + (goesRight ? 1 : 0),
      third: pixels + window.rowOffsets[min(group &* 4 &+ 2, last)] + (goesRight ? 2 : 0),
      fourth: pixels + window.rowOffsets[min(group &* 4 &+ 3, last)] + (goesRight ? 3 : 0))
    let stride = goesRight ? size : perColumn &* size
    var target = unsafe goesRight ? line.lastRow : line.columns + group &* size
    for _ in unsafe 0..<(goesRight ? line.count &- 3 : line.count) {
      let taps = unsafe rows.next(task, part, isWhole: isWhole, flips: flips, level)
      let quad = ByteDepthwiseTile<Level, 1>.interleaved(taps)
      unsafe ByteDepthwiseTile<Level, 1>.store([quad], to: target)
      unsafe target += stride
    }
  }
}

/// Four rows of pointers to pixels.
@unsafe
@frozen
@usableFromInline
struct InterleavedRows {
  @usableFromInline var first: UnsafePointer<UnsafeRawPointer>
  @usableFromInline var second: UnsafePointer<UnsafeRawPointer>
  @usableFromInline var third: UnsafePointer<UnsafeRawPointer>
  @usableFromInline var fourth: UnsafePointer<UnsafeRawPointer>

  @_alwaysEmitIntoClient
  @inline(__always)
  init(
    first: UnsafePointer<UnsafeRawPointer>, second: UnsafePointer<UnsafeRawPointer>,
    third: UnsafePointer<UnsafeRawPointer>, fourth: UnsafePointer<UnsafeRawPointer>
  ) {
    unsafe self.first = first
    unsafe self.second = second
    unsafe self.third = third
    unsafe self.fourth = fourth
  }

  /// The part's channels of each row's next pixel.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func next<Level: ByteInstructions>(
    _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, isWhole: Bool, flips: Bool,
    _ level: Level.Type
  ) -> InlineArray<4, Level.Vector> {
    let pixels = unsafe (
      first.pointee + part.channel, second.pointee + part.channel, third.pointee + part.channel,
      fourth.pointee + part.channel
    )
    unsafe first += 1
    unsafe second += 1
    unsafe third += 1
    unsafe fourth += 1
    let flip = unsafe task.flip(Level.self)
    if isWhole {
      let taps: InlineArray<4, Level.Vector> = unsafe [
        Level.load(pixels.0), Level.load(pixels.1), Level.load(pixels.2), Level.load(pixels.3),
      ]
      return flips ? InlineArray { Level.flip(taps[$0], flip) } : taps
    }
    let lanes = unsafe task.channelCount &- part.channel
    return unsafe [
      Level.flip(Level.loadPrefix(pixels.0, count: lanes), flip),
      Level.flip(Level.loadPrefix(pixels.1, count: lanes), flip),
      Level.flip(Level.loadPrefix(pixels.2, count: lanes), flip),
      Level.flip(Level.loadPrefix(pixels.3, count: lanes), flip),
    ]
  }
}

/// The quantized values, or the sums, of a part in `columns` order whose line is interleaved.
@_alwaysEmitIntoClient
@inline(__always)
package func multiplyLine<Level: ByteInstructions>(
  _ task: ByteDepthwiseTask, _ part: ByteDepthwisePart, inSteps: Bool, _ level: Level.Type
) {
  let line = unsafe InterleavedLine(task, part, level)
  let count = unsafe part.count
  if count < 4 {
    for first in 0..<count {
      unsafe ByteDepthwiseLine<Level, 1>.multiply(
        task, part, line, first: first, inSteps: inSteps)
    }
  } else {
    for index in 0..<(count &+ 3) / 4 {
      // The last outputs are computed again rather than one by one.
      unsafe ByteDepthwiseLine<Level, 4>.multiply(
        task, part, line, first: min(index &* 4, count &- 4), inSteps: inSteps)
    }
  }
}
