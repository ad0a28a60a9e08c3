// SPDX-License-Identifier: Apache-2.0

/// The transforms of minimal filtering with 4 × 4 inputs and 2 × 2 outputs, in integers.
@usableFromInline
package enum ByteWinogradTile<Level: ByteLaneInstructions> {
  @usableFromInline package typealias Inputs = InlineArray<4, Level.Vector>
  @usableFromInline package typealias Outputs = InlineArray<2, Level.Vector>

  /// Bᵀ d for 16-bit words.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func transformInputs(_ d: Inputs) -> Inputs {
    var v = d
    v[0] = Level.subtractWords(d[0], d[2])
    v[1] = Level.addWords(d[1], d[2])
    v[2] = Level.subtractWords(d[2], d[1])
    v[3] = Level.subtractWords(d[1], d[3])
    return v
  }

  /// Aᵀ m for 32-bit sums.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func transformSums(_ m: Inputs) -> Outputs {
    var y = Outputs(repeating: m[0])
    y[0] = Level.add(Level.add(m[0], m[1]), m[2])
    y[1] = Level.subtract(Level.subtract(m[1], m[2]), m[3])
    return y
  }

  /// Transforms a tile of the input.
  ///
  /// Channels behind the last whole vector are covered by one that ends with the last channel.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(_ task: ByteWinogradInputTask) {
    let flip = unsafe Level.broadcast(word: Int32(task.flip))
    // Only the second row of Bᵀ has a sum other than 0, which is 2.
    let zero = unsafe Level.broadcast(word: 4 &* task.zeroPoint)
    let step = Level.byteCount / 2
    var next = 0
    while unsafe next < task.depth {
      let channel = unsafe min(next, task.depth &- step)
      var pixels = unsafe task.pixels
      // Lines by columns, first along each line.
      var tile = InlineArray<4, Inputs> { _ in
        let line = Inputs { column in
          Level.flip(unsafe Level.loadWords(pixels[column] + channel, areSigned: false), flip)
        }
        unsafe pixels += 4
        return transformInputs(line)
      }
      for column in 0..<4 {
        let values = transformInputs(Inputs { tile[$0][column] })
        for row in 0..<4 { tile[row][column] = values[row] }
      }
      tile[1][1] = Level.subtractWords(tile[1][1], zero)
      var position = unsafe task.output + channel &* 2
      for row in 0..<4 {
        for column in 0..<4 {
          unsafe position.storeBytes(of: tile[row][column], as: Level.Vector.self)
          unsafe position += task.matrixStride
        }
      }
      next &+= step
    }
  }

  /// Transforms the sums of neighboring tiles.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func run(_ task: ByteWinogradSumTask) {
    var sums = unsafe task.sums
    var output = unsafe task.output
    for _ in unsafe 0..<task.tileCount {
      var offset = 0
      while unsafe offset < task.width {
        unsafe transform(sums + offset, to: output + offset, task)
        offset &+= Level.byteCount
      }
      unsafe sums += task.width
      unsafe output += 2 &* task.width
    }
  }

  /// Transforms a vector of the sums of one tile.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func transform(
    _ sums: UnsafeRawPointer, to output: UnsafeMutableRawPointer, _ task: ByteWinogradSumTask
  ) {
    var position = unsafe sums
    let lines = InlineArray<4, Outputs> { _ in
      let line = Inputs { _ in
        let value = unsafe Level.load(position)
        unsafe position += task.matrixStride
        return value
      }
      return transformSums(line)
    }
    for column in 0..<2 {
      let values = transformSums(Inputs { lines[$0][column] })
      for row in 0..<2 {
        unsafe output.storeBytes(
          of: Level.shiftRight(values[row], by: 2),
          toByteOffset: row &* task.lineStride &+ column &* task.width, as: Level.Vector.self)
      }
    }
  }
}
