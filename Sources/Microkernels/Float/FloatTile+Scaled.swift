// SPDX-License-Identifier: Apache-2.0

/// Factors that each product of a block meets, one after the other, before it is added.
///
///     y[r, n] = clamp(Σ over taps t and k < depth of rows[t, r][k] · w[t, k, n] · columns[n] · common
///                     + bias[n])
///
/// Each of these operations rounds, and sums start at zero.
@unsafe
@frozen
@usableFromInline
package struct FloatProductScaling {
  /// A factor for each of the block's columns, padded to whole panels.
  @usableFromInline package var columns: UnsafePointer<Float>
  /// The factor of all products.
  @usableFromInline package var common: Float

  /// These factors.
  package init(columns: UnsafePointer<Float>, common: Float) {
    unsafe self.columns = columns
    unsafe self.common = common
  }
}

/// The tile of the task's rows, at most `FloatMicrokernels.scaledTileRows`, of scaled products.
@_alwaysEmitIntoClient
@inline(__always)
package func scaledFloatTile<Level: FloatInstructions, let vectors: Int>(
  _ task: FloatTileTask, _ scaling: FloatProductScaling, _ one: FloatTile<Level, 1, vectors>.Type
) {
  switch unsafe task.rows {
  case 2: unsafe FloatTile<Level, 2, vectors>.run(task, scaling)
  case 3: unsafe FloatTile<Level, 3, vectors>.run(task, scaling)
  case 4: unsafe FloatTile<Level, 4, vectors>.run(task, scaling)
  default: unsafe one.run(task, scaling)
  }
}

extension FloatTile where Level: FloatInstructions {
  /// Computes the tile of scaled products.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(_ task: FloatTileTask, _ scaling: FloatProductScaling) {
    var sums = unsafe accumulate(task, scaling)
    unsafe store(&sums, FloatTileOutput(task))
  }

  /// The tile's sums over all taps, of products that are scaled before they are added.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func accumulate(
    _ task: FloatTileTask, _ scaling: FloatProductScaling
  ) -> Sums {
    let block = unsafe task.block
    let step = vectors &* Level.byteCount
    let scales = unsafe load(scaling.columns + task.column)
    let common = unsafe Level.broadcast(scaling.common)
    let zeroes = Row { _ in Level.broadcast(0) }
    var sums = Sums { _ in zeroes }
    var weights = unsafe task.panel + step
    var pointers = unsafe block.rows + task.row
    var tap = 0
    while unsafe tap < block.tapCount {
      let starts = unsafe InlineArray<rows, UnsafePointer<Float>> { unsafe pointers[$0] }
      var k = 0
      while unsafe k < block.depth {
        let right = unsafe load(weights)
        unsafe weights += step
        for r in 0..<rows {
          let left = unsafe Level.broadcast(starts[r][k])
          for v in 0..<vectors {
            let scaled = Level.multiply(Level.multiply(left, right[v]), scales[v])
            sums[r][v] = Level.add(sums[r][v], Level.multiply(scaled, common))
          }
        }
        k &+= 1
      }
      unsafe pointers += block.rowPitch
      tap &+= 1
    }
    let bias = unsafe load(task.panel)
    for r in 0..<rows {
      for v in 0..<vectors { sums[r][v] = Level.add(sums[r][v], bias[v]) }
    }
    return sums
  }
}
