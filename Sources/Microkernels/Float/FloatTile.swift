// SPDX-License-Identifier: Apache-2.0

/// The register tile of the float product: `rows` rows by `vectors` vectors of columns.
@usableFromInline
package enum FloatTile<Level: FloatProductInstructions, let rows: Int, let vectors: Int> {
  @usableFromInline package typealias Row = InlineArray<vectors, Level.Vector>
  @usableFromInline package typealias Sums = InlineArray<rows, Row>

  /// Columns of the tile.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var width: Int { vectors * Level.laneCount }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ pointer: UnsafeRawPointer) -> Row {
    Row { vector in
      unsafe pointer.loadUnaligned(
        fromByteOffset: vector &* Level.byteCount, as: Level.Vector.self)
    }
  }

  /// The tile's sums over all taps.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func accumulate(_ task: FloatTileTask) -> Sums {
    let block = unsafe task.block
    let step = vectors &* Level.packedByteCount
    var sums: Sums
    if unsafe task.continues {
      sums = unsafe stored(FloatTileOutput(task))
    } else {
      let bias = unsafe load(task.panel)
      sums = Sums { _ in bias }
    }
    var weights = unsafe task.panel + step
    var pointers = unsafe block.rows + task.row
    var tap = 0
    while unsafe tap < block.tapCount {
      let starts = unsafe InlineArray<rows, UnsafePointer<Float>> {
        unsafe pointers[$0] + block.skipped
      }
      var k = 0
      #if arch(arm64)
        while unsafe Level.multipliesByLane && k &+ 4 <= block.depth {
          let left = InlineArray<rows, Level.Vector> { unsafe Level.load(starts[$0] + k) }
          unsafe addFour(left, &weights, to: &sums)
          k &+= 4
        }
      #endif
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

  /// What the output has, in whole vectors.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func stored(_ output: FloatTileOutput) -> Sums {
    let stride = unsafe output.stride &* 4
    // Not a closure, which would be a weak symbol.
    var sums = Sums(repeating: Row(repeating: Level.broadcast(0)))
    for r in 0..<rows {
      sums[r] = unsafe load(UnsafeRawPointer(output.address) + r &* stride)
    }
    return sums
  }

  /// The sums of a tile of a line.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func accumulate(_ task: FloatLineTileTask) -> Sums {
    let line = unsafe task.line
    let step = vectors &* Level.packedByteCount
    let bias = unsafe load(task.panel)
    var sums = Sums { _ in bias }
    var weights = unsafe task.panel + step
    let stride = unsafe line.stride
    var tap = unsafe task.left
    var remaining = unsafe line.tapCount
    while remaining > 0 {
      var left = unsafe tap
      let end = unsafe left + line.depth
      #if arch(arm64)
        while unsafe Level.multipliesByLane && left + 4 <= end {
          let row = InlineArray<rows, Level.Vector> { unsafe Level.load(left + $0 &* stride) }
          unsafe addFour(row, &weights, to: &sums)
          unsafe left += 4
        }
      #endif
      while unsafe left < end {
        let right = unsafe load(weights)
        unsafe weights += step
        for r in 0..<rows {
          let activation = unsafe Level.broadcast(left[r &* stride])
          for v in 0..<vectors {
            sums[r][v] = Level.multiplyAdd(sums[r][v], activation, right[v])
          }
        }
        unsafe left += 1
      }
      unsafe tap += line.tapStride
      remaining &-= 1
    }
    return sums
  }

  /// Adds the products of four floats of each row, and moves on by their weights.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func addFour(
    _ left: InlineArray<rows, Level.Vector>, _ weights: inout UnsafeRawPointer, to sums: inout Sums
  ) {
    @inline(__always)
    func add(_ lane: Int) {
      let right = unsafe load(weights)
      unsafe weights += vectors &* Level.packedByteCount
      for r in 0..<rows {
        for v in 0..<vectors {
          sums[r][v] = Level.multiplyAdd(sums[r][v], left[r], lane: lane, right[v])
        }
      }
    }
    add(0)
    add(1)
    add(2)
    add(3)
  }

  /// Computes the tiles of the task.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(_ task: FloatTileTask) {
    var tile = unsafe task
    for _ in unsafe 0..<task.tileCount {
      var sums = unsafe accumulate(tile)
      unsafe store(&sums, FloatTileOutput(tile))
      unsafe tile.row &+= rows
    }
  }

  /// Computes a tile of a line.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(_ task: FloatLineTileTask) {
    var sums = unsafe accumulate(task)
    unsafe store(&sums, FloatTileOutput(task))
  }

  /// Writes the results of a tile with these sums, which become them.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func store(_ sums: inout Sums, _ task: FloatTileOutput) {
    let lowest = unsafe Level.broadcast(task.lowest)
    let highest = unsafe Level.broadcast(task.highest)
    for r in 0..<rows {
      for v in 0..<vectors { sums[r][v] = Level.clamp(sums[r][v], lowest, highest) }
    }
    let stride = unsafe task.stride &* 4
    var output = unsafe UnsafeMutableRawPointer(task.address)
    let remaining = unsafe task.columnCount
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

/// Where the results of a tile of the float product go.
@unsafe
@usableFromInline
package struct FloatTileOutput {
  @usableFromInline let address: UnsafeMutablePointer<Float>
  @usableFromInline let stride: Int
  @usableFromInline let columnCount: Int
  @usableFromInline let lowest: Float
  @usableFromInline let highest: Float

  /// The output of a tile of a block.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init(_ task: FloatTileTask) {
    let block = unsafe task.block
    unsafe address = block.output + (task.row &* block.outputStride &+ task.column)
    unsafe stride = block.outputStride
    unsafe columnCount = block.columnCount &- task.column
    unsafe lowest = block.lowest
    unsafe highest = block.highest
  }

  /// The output of a tile of a line.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init(_ task: FloatLineTileTask) {
    let line = unsafe task.line
    unsafe address = task.output + task.column
    unsafe stride = line.outputStride
    unsafe columnCount = line.columnCount &- task.column
    unsafe lowest = line.lowest
    unsafe highest = line.highest
  }
}
