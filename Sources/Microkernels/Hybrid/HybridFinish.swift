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

/// Turns sums into floats, by a loop that becomes vectors; `difference` takes the zero point's
/// share from a sum.
@inlinable
@inline(__always)
package func finishSums(
  _ task: HybridFinish, scalesInTurn: Bool,
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
    for column in 0..<count {
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
