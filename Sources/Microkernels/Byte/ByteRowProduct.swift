// SPDX-License-Identifier: Apache-2.0

/// The quantized values of one row and all columns of a block, panel after panel, by the `real` form,
/// which `finish` computes of as many panels as the memory of a tile's sums holds.
///
/// As in fully connected layers of one row: what comes before and after the sums of a panel takes as
/// long as these, unless it is one loop.
@_alwaysEmitIntoClient
@inline(__always)
package func multiplyRow<Level: ByteInstructions>(
  _ task: ByteScaledTileTask, hasTerms: Bool, _ level: Level.Type, finish: (RealFinish) -> Void
) {
  let panelWidth = 2 &* Level.laneCount
  let room = ByteGemmLayout.leastSumByteCount / 4
  var (first, held) = (0, 0)
  unsafe forEachPanel(of: task, hasTerms: hasTerms, level) { sums, width, column, columns in
    let target = unsafe task.tile.sums + held &* 4
    for vector in 0..<width {
      unsafe target.storeBytes(
        of: sums(vector), toByteOffset: vector &* Level.byteCount, as: Level.Vector.self)
    }
    held &+= columns
    let isLast = unsafe column &+ columns == task.columnCount
    guard isLast || held &+ panelWidth > room else { return }
    unsafe finish(
      RealFinish(
        task.finish, task.tile.sums, count: held, column: first, to: task.output + first))
    first = column &+ columns
    held = 0
  }
}

/// `multiplyRow` by the fast form without exceptions.
@_alwaysEmitIntoClient
@inline(__always)
package func multiplyScaledRow<Level: ByteInstructions>(
  _ task: ByteScaledTileTask, inSteps: Bool, hasTerms: Bool, _ level: Level.Type
) {
  let limits = unsafe ByteLimits<Level>(task.finish)
  let table = unsafe task.finish.table
  let planeStride = unsafe task.finish.planeStride
  let rounding = unsafe task.finish.takesRoundedProducts
  unsafe forEachPanel(of: task, hasTerms: hasTerms, level) { sums, width, column, columns in
    @inline(__always)
    func scaled(_ vector: Int) -> Level.Vector {
      let scaling = unsafe Level.scaling(
        table + (column &* 4 &+ vector &* Level.byteCount), planeStride: planeStride)
      return Level.scale(sums(vector), scaling, inSteps: inSteps, rounding: rounding)
    }
    let first = scaled(0)
    let last = width == 2 ? scaled(1) : first
    let bytes = limits.values(Level.narrow(first, last, last, last))
    unsafe withUnsafeBytes(of: bytes) { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe copyShort(base, to: task.output + column, count: columns)
    }
  }
}

/// The sums of one row and all columns of a block, panel after panel.
@_alwaysEmitIntoClient
@inline(__always)
package func sumRow<Level: ByteInstructions>(
  _ task: ByteScaledTileTask, hasTerms: Bool, _ level: Level.Type
) {
  unsafe forEachPanel(of: task, hasTerms: hasTerms, level) { sums, width, column, columns in
    for vector in 0..<width {
      let first = vector &* Level.laneCount
      let target = unsafe task.output + (column &+ first) &* 4
      if first &+ Level.laneCount <= columns {
        unsafe target.storeBytes(of: sums(vector), as: Level.Vector.self)
      } else {
        unsafe withUnsafeBytes(of: sums(vector)) { lanes in
          guard let base = lanes.baseAddress else { return }
          unsafe copyShort(base, to: target, count: (columns &- first) &* 4)
        }
      }
    }
  }
}

/// Calls `body` for each panel of a block: with the vectors of its sums, how many these are, its first
/// column and how many it has.
@_alwaysEmitIntoClient
@inline(__always)
func forEachPanel<Level: ByteInstructions>(
  of task: ByteScaledTileTask, hasTerms: Bool, _: Level.Type,
  _ body: (_ sums: (Int) -> Level.Vector, _ width: Int, _ column: Int, _ columns: Int) -> Void
) {
  let panelWidth = 2 &* Level.laneCount
  let term = unsafe Level.broadcast(hasTerms ? task.tile.terms[0] : 0)
  var tile = unsafe task.tile
  let form: BytePanelForm = unsafe Level.isWide ? tile.isCompact ? .compact : .words : .bytes
  let panelByteCount = unsafe form.byteCount(width: panelWidth, wordCount: tile.wordCount)
  let count = unsafe task.columnCount
  var column = 0
  while column < count {
    let columns = min(count &- column, panelWidth)
    if columns > Level.laneCount {
      let sums = unsafe ByteTile<Level, 1, 2>.accumulateRow(tile)
      body({ Level.add(sums[$0], term) }, 2, column, columns)
    } else {
      let sums = unsafe ByteTile<Level, 1, 1>.accumulateRow(tile)
      body({ Level.add(sums[$0], term) }, 1, column, columns)
    }
    unsafe tile.panel += panelByteCount
    column &+= panelWidth
  }
}
