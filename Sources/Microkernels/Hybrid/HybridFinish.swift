// SPDX-License-Identifier: Apache-2.0

/// Sums of products with quantized floats that become floats, in place.
///
///     y[r, n] = clamp(sₓ s_w[n] (sum[r, n] − zₓ Σ w[n]) + bias[n])
@unsafe
@frozen
@usableFromInline
package struct HybridFinish {
  /// The first row's sums, and its results.
  @usableFromInline package var sums: UnsafeMutableRawPointer
  /// Bytes from one row to the next.
  @usableFromInline package var stride: Int
  /// Rows, all of one image.
  @usableFromInline package var rowCount: Int
  /// Columns.
  @usableFromInline package var columnCount: Int
  /// `s_w` of each column.
  @usableFromInline package var scales: UnsafePointer<Float>
  /// The bias of each column.
  @usableFromInline package var biases: UnsafePointer<Float>
  /// The sum of each column's weights.
  @usableFromInline package var columnSums: UnsafePointer<Int32>
  /// `sₓ`.
  @usableFromInline package var inputScale: Float
  /// `zₓ`.
  @usableFromInline package var inputZeroPoint: Int32
  /// Whether a sum is multiplied by one scale after the other, else by their product.
  @usableFromInline package var scalesInTurn: Bool
  /// Whether the zero point's share is taken away in float32, which rounds what exceeds 2²⁴.
  @usableFromInline package var roundsSums: Bool
  /// The least result.
  @usableFromInline package var lowest: Float
  /// The greatest result.
  @usableFromInline package var highest: Float

  /// Sums of these parts.
  package init(
    sums: UnsafeMutableRawPointer, stride: Int, rowCount: Int, columnCount: Int,
    scales: UnsafePointer<Float>, biases: UnsafePointer<Float>,
    columnSums: UnsafePointer<Int32>, inputScale: Float, inputZeroPoint: Int32,
    scalesInTurn: Bool, roundsSums: Bool, lowest: Float, highest: Float
  ) {
    unsafe self.sums = sums
    unsafe self.stride = stride
    unsafe self.rowCount = rowCount
    unsafe self.columnCount = columnCount
    unsafe self.scales = scales
    unsafe self.biases = biases
    unsafe self.columnSums = columnSums
    unsafe self.inputScale = inputScale
    unsafe self.inputZeroPoint = inputZeroPoint
    unsafe self.scalesInTurn = scalesInTurn
    unsafe self.roundsSums = roundsSums
    unsafe self.lowest = lowest
    unsafe self.highest = highest
  }
}

/// Turns the sums of the columns from `start` on into floats, by a loop that becomes vectors;
/// `difference` takes the zero point's share from a sum.
@_alwaysEmitIntoClient
@inline(__always)
package func finishSums(
  _ task: HybridFinish, from start: Int = 0, scalesInTurn: Bool,
  difference: (_ sum: Int32, _ columnSum: Int32, _ zeroPoint: Int32, _ asFloat: Float) -> Float
) {
  let (lowest, highest) = unsafe (task.lowest, task.highest)
  let (inputScale, zeroPoint) = unsafe (task.inputScale, task.inputZeroPoint)
  let (scales, biases) = unsafe (task.scales, task.biases)
  let columnSums = unsafe task.columnSums
  let count = unsafe task.columnCount
  let floatZeroPoint = Float(zeroPoint)
  var row = unsafe task.sums
  for _ in unsafe 0..<task.rowCount {
    for column in start..<count {
      let place = unsafe row + column &* 4
      let sum = unsafe difference(
        place.load(as: Int32.self), columnSums[column], zeroPoint, floatZeroPoint)
      let scale = unsafe scales[column]
      let product = scalesInTurn ? sum * scale * inputScale : sum * (inputScale * scale)
      let value = unsafe product + biases[column]
      let raised = value < lowest ? lowest : value
      unsafe place.storeBytes(of: highest < raised ? highest : raised, as: Float.self)
    }
    unsafe row += task.stride
  }
}

/// Turns the sums of the columns from `start` on into floats one by one; the zero point's share is
/// taken away in 32 bits.
@_alwaysEmitIntoClient
@inline(__always)
package func finishWrappingSums(_ task: HybridFinish, from start: Int, scalesInTurn: Bool) {
  unsafe finishSums(task, from: start, scalesInTurn: scalesInTurn) { sum, columnSum, zeroPoint, _ in
    // Wraps as the reference's sum does, which takes the zero point from each activation.
    Float(sum &- zeroPoint &* columnSum)
  }
}

/// Turns sums into floats, where the level has no conversions.
@_alwaysEmitIntoClient
@inline(__always)
package func finishWrappingSums<F: FloatInstructions, B: ByteInstructions>(
  _ task: HybridFinish, scalesInTurn: Bool, _: F.Type, _: B.Type
) {
  unsafe finishWrappingSums(task, from: 0, scalesInTurn: scalesInTurn)
}

/// Turns sums into floats a vector at a time, down all rows, which share what belongs to columns.
@_alwaysEmitIntoClient
@inline(__always)
package func finishWrappingSums<F: FloatInstructions, B: ByteConversionInstructions>(
  _ task: HybridFinish, scalesInTurn: Bool, _: F.Type, _: B.Type
) where F.Vector == B.FloatVector {
  let zeroPoint = B.broadcast(unsafe task.inputZeroPoint)
  let inputScale = F.broadcast(unsafe task.inputScale)
  let (lowest, highest) = unsafe (F.broadcast(task.lowest), F.broadcast(task.highest))
  var column = 0
  while unsafe column &+ F.laneCount <= task.columnCount {
    let columnSums = unsafe UnsafeRawPointer(task.columnSums + column)
      .loadUnaligned(as: B.Vector.self)
    let share = B.multiplyLanes(columnSums, zeroPoint)
    let scale = unsafe UnsafeRawPointer(task.scales + column).loadUnaligned(as: F.Vector.self)
    let factor = scalesInTurn ? scale : F.multiply(inputScale, scale)
    let bias = unsafe UnsafeRawPointer(task.biases + column).loadUnaligned(as: F.Vector.self)
    var place = unsafe task.sums + column &* 4
    for _ in unsafe 0..<task.rowCount {
      let sums = unsafe place.loadUnaligned(as: B.Vector.self)
      var value = F.multiply(B.convert(B.subtract(sums, share)), factor)
      if scalesInTurn { value = F.multiply(value, inputScale) }
      let result = F.clamp(F.add(value, bias), lowest, highest)
      unsafe place.storeBytes(of: result, as: F.Vector.self)
      unsafe place += task.stride
    }
    column &+= F.laneCount
  }
  unsafe finishWrappingSums(task, from: column, scalesInTurn: scalesInTurn)
}
