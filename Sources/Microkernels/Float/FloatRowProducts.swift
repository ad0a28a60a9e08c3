// SPDX-License-Identifier: Apache-2.0

/// Rows of floats to be multiplied with one vector where they lie, with a bias and limits.
///
///     y[r] = clamp(Σ over k of w[r, k] · x[k] + bias[r])
@unsafe
@frozen
@usableFromInline
package struct FloatRowProducts {
  /// The first row; the next lie behind it.
  @usableFromInline package var rows: UnsafeRawPointer
  /// Rows.
  @usableFromInline package var count: Int
  /// The vector.
  @usableFromInline package var vector: UnsafeRawPointer
  /// Elements of a row and of the vector.
  @usableFromInline package var depth: Int
  /// What is added to each sum; nil for nothing.
  @usableFromInline package var bias: UnsafeRawPointer?
  /// What each result is limited to.
  @usableFromInline package var (lowest, highest): (Float, Float)
  /// The results.
  @usableFromInline package var output: UnsafeMutableRawPointer

  /// `count` rows of `depth` elements, whose results are limited to `range`.
  package init(
    _ rows: UnsafePointer<Float>, count: Int, vector: UnsafePointer<Float>, depth: Int,
    bias: UnsafePointer<Float>?, range: (lowest: Float, highest: Float),
    output: UnsafeMutablePointer<Float>
  ) {
    unsafe self.rows = UnsafeRawPointer(rows)
    unsafe self.count = count
    unsafe self.vector = UnsafeRawPointer(vector)
    unsafe self.depth = depth
    unsafe self.bias = bias.map { unsafe UnsafeRawPointer($0) }
    unsafe (lowest, highest) = range
    unsafe self.output = UnsafeMutableRawPointer(output)
  }
}

/// Multiplies rows with a vector, eight at a time where there are as many.
///
/// That hides how long additions take. A row's result does not depend on which others it is computed
/// with.
@_alwaysEmitIntoClient
@inline(__always)
package func multiplyRows<Level: FloatInstructions>(_ task: FloatRowProducts, _: Level.Type) {
  let count = unsafe task.count
  var row = 0
  while row < count {
    guard count >= 8 else {
      unsafe FloatRowSums<Level>.multiplyRow(row, task)
      row &+= 1
      continue
    }
    unsafe FloatRowSums<Level>.multiplyEight(min(row, count &- 8), task)
    row &+= 8
  }
}

/// The sums of rows on the vectors of one instruction-set level.
@usableFromInline
package enum FloatRowSums<Level: FloatInstructions> {
  @usableFromInline package typealias Lanes = SIMD4<Float>

  /// Elements of each row in front of the first that lies at a multiple of a vector's size; 0 if that
  /// differs from row to row.
  ///
  /// Files have weights at any multiple of 4 bytes. A vector that is part of two cache lines takes
  /// twice as long, which all of AVX-512's are where the first is.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func elementsBeforeVectors(_ task: FloatRowProducts) -> Int {
    let past = unsafe Int(bitPattern: task.rows) & (Level.byteCount &- 1)
    guard Level.rotates, past % 4 == 0, past > 0, unsafe task.depth > 0,
      unsafe task.depth % Level.laneCount == 0
    else { return 0 }
    return (Level.byteCount &- past) / 4
  }

  /// The partial sums of `rows` rows from `first` on.
  ///
  /// A lane adds up the same elements in the same order wherever rows lie: where there are elements
  /// before the first vector, lanes change places after those, and back at the end.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func partial<let rows: Int>(
    _ first: Int, _ task: FloatRowProducts
  ) -> InlineArray<rows, Level.Vector> {
    let before = unsafe elementsBeforeVectors(task)
    let after = unsafe (task.depth &- before) % Level.laneCount
    var sums = InlineArray<rows, Level.Vector>(repeating: Level.broadcast(0))
    if before > 0 {
      unsafe addPrefix(of: before, from: 0, first, task, to: &sums)
      for row in 0..<rows { sums[row] = Level.rotate(sums[row], from: before) }
    }
    let stride = unsafe task.depth &* 4
    let start = unsafe task.rows + first &* stride
    let end = unsafe (task.depth &- after) &* 4
    var offset = before &* 4
    while offset < end {
      let part = unsafe Level.load(task.vector + offset)
      for row in 0..<rows {
        let weights = unsafe Level.load(start + (row &* stride &+ offset))
        sums[row] = Level.multiplyAdd(sums[row], weights, part)
      }
      offset &+= Level.byteCount
    }
    if after > 0 { unsafe addPrefix(of: after, from: end, first, task, to: &sums) }
    if before > 0 {
      let firstLane = Level.laneCount &- before
      for row in 0..<rows { sums[row] = Level.rotate(sums[row], from: firstLane) }
    }
    return sums
  }

  /// Adds the products of `count` elements, fewer than a vector's, from an offset in bytes on.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func addPrefix<let rows: Int>(
    of count: Int, from offset: Int, _ first: Int, _ task: FloatRowProducts,
    to sums: inout InlineArray<rows, Level.Vector>
  ) {
    let stride = unsafe task.depth &* 4
    let start = unsafe task.rows + (first &* stride &+ offset)
    let part = unsafe Level.loadPrefix(task.vector + offset, count: count)
    for row in 0..<rows {
      let weights = unsafe Level.loadPrefix(start + row &* stride, count: count)
      sums[row] = Level.multiplyAdd(sums[row], weights, part)
    }
  }

  /// The sums of every fourth lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func four(_ vector: Level.Vector) -> Lanes {
    if Level.byteCount == 64 {
      let all = unsafe unsafeBitCast(vector, to: SIMD16<Float>.self)
      let half = all.lowHalf + all.highHalf
      return half.lowHalf + half.highHalf
    }
    if Level.byteCount == 32 {
      let all = unsafe unsafeBitCast(vector, to: SIMD8<Float>.self)
      return all.lowHalf + all.highHalf
    }
    return unsafe unsafeBitCast(vector, to: Lanes.self)
  }

  /// The results of rows whose sums are these in part.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func results(
    _ partial: Level.Vector, bias: Lanes, _ task: FloatRowProducts
  ) -> Lanes {
    var sums = four(partial) + bias
    // Comparisons are false for NaN, which stays.
    unsafe sums.replace(with: task.lowest, where: sums .< task.lowest)
    unsafe sums.replace(with: task.highest, where: sums .> task.highest)
    return sums
  }

  /// Multiplies eight rows from `first` on.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func multiplyEight(_ first: Int, _ task: FloatRowProducts) {
    let sums: InlineArray<8, Level.Vector> = unsafe partial(first, task)
    var index = 0
    while index < 8 {
      let offset = (first &+ index) &* 4
      let bias =
        if let bias = unsafe task.bias {
          unsafe bias.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
        } else {
          Lanes.zero
        }
      let results = unsafe results(
        Level.sums(sums[index], sums[index &+ 1], sums[index &+ 2], sums[index &+ 3]),
        bias: bias, task)
      unsafe task.output.storeBytes(of: results, toByteOffset: offset, as: Lanes.self)
      index &+= 4
    }
  }

  /// Multiplies the row `row`.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func multiplyRow(_ row: Int, _ task: FloatRowProducts) {
    let sums: InlineArray<1, Level.Vector> = unsafe partial(row, task)
    var bias: Float = 0
    if let values = unsafe task.bias {
      bias = unsafe values.loadUnaligned(fromByteOffset: row &* 4, as: Float.self)
    }
    let results = unsafe results(
      Level.sums(sums[0], sums[0], sums[0], sums[0]), bias: Lanes(repeating: bias), task)
    unsafe task.output.storeBytes(of: results[0], toByteOffset: row &* 4, as: Float.self)
  }
}
