// SPDX-License-Identifier: Apache-2.0

/// The register tile of the float product: `rows` rows by `vectors` vectors of columns.
@usableFromInline
package enum FloatTile<Level: FloatInstructions, let rows: Int, let vectors: Int> {
  @usableFromInline package typealias Row = InlineArray<vectors, Level.Vector>
  @usableFromInline package typealias Sums = InlineArray<rows, Row>

  /// Columns of the tile.
  @inlinable
  @inline(__always)
  package static var width: Int { vectors * Level.laneCount }

  @inlinable
  @inline(__always)
  package static func load(_ pointer: UnsafeRawPointer) -> Row {
    Row { vector in
      unsafe pointer.loadUnaligned(
        fromByteOffset: vector &* Level.byteCount, as: Level.Vector.self)
    }
  }

  /// The tile's sums over all taps.
  @inlinable
  @inline(__always)
  package static func accumulate(_ task: FloatTileTask) -> Sums {
    let block = unsafe task.block
    let step = vectors &* Level.byteCount
    let bias = unsafe load(task.panel)
    var sums = Sums { _ in bias }
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
          for v in 0..<vectors { sums[r][v] = Level.multiplyAdd(sums[r][v], left, right[v]) }
        }
        k &+= 1
      }
      unsafe pointers += block.rowPitch
      tap &+= 1
    }
    return sums
  }

  /// Computes the tile.
  @inlinable
  @inline(__always)
  package static func run(_ task: FloatTileTask) {
    var sums = unsafe accumulate(task)
    unsafe store(&sums, task)
  }

  /// Writes the results of a tile with these sums, which become them.
  @inlinable
  @inline(__always)
  package static func store(_ sums: inout Sums, _ task: FloatTileTask) {
    let block = unsafe task.block
    let lowest = unsafe Level.broadcast(block.lowest)
    let highest = unsafe Level.broadcast(block.highest)
    for r in 0..<rows {
      for v in 0..<vectors { sums[r][v] = Level.clamp(sums[r][v], lowest, highest) }
    }
    let stride = unsafe block.outputStride &* 4
    let first = unsafe block.output + (task.row &* block.outputStride &+ task.column)
    var output = UnsafeMutableRawPointer(first)
    let remaining = unsafe block.columnCount &- task.column
    if remaining >= width {
      for r in 0..<rows {
        for v in 0..<vectors {
          unsafe output.storeBytes(
            of: sums[r][v], toByteOffset: v &* Level.byteCount, as: Level.Vector.self)
        }
        unsafe output += stride
      }
      return
    }
    for r in 0..<rows {
      for v in 0..<vectors {
        let lanes = remaining &- v &* Level.laneCount
        let position = unsafe output + v &* Level.byteCount
        if lanes >= Level.laneCount {
          unsafe position.storeBytes(of: sums[r][v], as: Level.Vector.self)
        } else if lanes > 0 {
          unsafe Level.storePrefix(sums[r][v], to: position, count: lanes)
        }
      }
      unsafe output += stride
    }
  }
}
