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
  /// Rows.
  @usableFromInline package var rowCount: Int
  /// Columns.
  @usableFromInline package var columnCount: Int
  /// `s_w` of each column.
  @usableFromInline package var scales: UnsafePointer<Float>
  /// The bias of each column.
  @usableFromInline package var biases: UnsafePointer<Float>
  /// The sum of each column's weights.
  @usableFromInline package var columnSums: UnsafePointer<Int32>
  /// `sₓ` and `zₓ` of the rows' images.
  @usableFromInline package var inputs: UnsafePointer<HybridAffine>
  /// Whether each row is of an image of its own; otherwise all are of one.
  @usableFromInline package var hasInputPerRow: Bool
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
    columnSums: UnsafePointer<Int32>, inputs: UnsafePointer<HybridAffine>,
    hasInputPerRow: Bool, scalesInTurn: Bool, roundsSums: Bool, lowest: Float, highest: Float
  ) {
    unsafe self.sums = sums
    unsafe self.stride = stride
    unsafe self.rowCount = rowCount
    unsafe self.columnCount = columnCount
    unsafe self.scales = scales
    unsafe self.biases = biases
    unsafe self.columnSums = columnSums
    unsafe self.inputs = inputs
    unsafe self.hasInputPerRow = hasInputPerRow
    unsafe self.scalesInTurn = scalesInTurn
    unsafe self.roundsSums = roundsSums
    unsafe self.lowest = lowest
    unsafe self.highest = highest
  }
}

extension HybridFinish {
  /// What the quantized values of a row's image stand for.
  @_alwaysEmitIntoClient
  @inline(__always)
  func input(_ row: Int) -> HybridAffine { unsafe hasInputPerRow ? inputs[row] : inputs.pointee }

  /// A row's sum in a column, or what it becomes.
  @_alwaysEmitIntoClient
  @inline(__always)
  func place(_ row: Int, _ column: Int) -> UnsafeMutableRawPointer {
    unsafe sums + (row &* stride &+ column &* 4)
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
  let (scales, biases) = unsafe (task.scales, task.biases)
  let columnSums = unsafe task.columnSums
  let count = unsafe task.columnCount
  for row in unsafe 0..<task.rowCount {
    let input = unsafe task.input(row)
    let floatZeroPoint = Float(input.zeroPoint)
    let first = unsafe task.place(row, 0)
    for column in start..<count {
      let place = unsafe first + column &* 4
      let sum = unsafe difference(
        place.load(as: Int32.self), columnSums[column], input.zeroPoint, floatZeroPoint)
      let scale = unsafe scales[column]
      let product = scalesInTurn ? sum * scale * input.scale : sum * (input.scale * scale)
      let value = unsafe product + biases[column]
      let raised = value < lowest ? lowest : value
      unsafe place.storeBytes(of: highest < raised ? highest : raised, as: Float.self)
    }
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

/// Turns sums into floats a vector at a time.
@_alwaysEmitIntoClient
@inline(__always)
package func finishWrappingSums<F: FloatInstructions, B: ByteConversionInstructions>(
  _ task: HybridFinish, scalesInTurn: Bool, _: F.Type, _: B.Type
) where F.Vector == B.FloatVector {
  let range = unsafe (F.broadcast(task.lowest), F.broadcast(task.highest))
  let whole = unsafe task.columnCount / F.laneCount &* F.laneCount
  if unsafe task.hasInputPerRow {
    for row in unsafe 0..<task.rowCount {
      let input = unsafe RowInput(task.inputs[row], F.self, B.self)
      var column = 0
      while column < whole {
        let factors = unsafe ColumnFactors(task, column, input, scalesInTurn, F.self, B.self)
        unsafe factors.finish(task.place(row, column), input, range, F.self, B.self)
        column &+= F.laneCount
      }
    }
  } else {
    // Down all rows, which share what belongs to columns.
    let input = unsafe RowInput(task.inputs.pointee, F.self, B.self)
    var column = 0
    while column < whole {
      let factors = unsafe ColumnFactors(task, column, input, scalesInTurn, F.self, B.self)
      for row in unsafe 0..<task.rowCount {
        unsafe factors.finish(task.place(row, column), input, range, F.self, B.self)
      }
      column &+= F.laneCount
    }
  }
  unsafe finishWrappingSums(task, from: whole, scalesInTurn: scalesInTurn)
}

/// An image's scale and zero point in all lanes.
@frozen
@usableFromInline
struct RowInput<FloatVector: BitwiseCopyable, Vector: BitwiseCopyable> {
  @usableFromInline let scale: FloatVector
  @usableFromInline let zeroPoint: Vector

  @_alwaysEmitIntoClient
  @inline(__always)
  init<F: FloatInstructions, B: ByteConversionInstructions>(
    _ input: HybridAffine, _: F.Type, _: B.Type
  ) where F.Vector == FloatVector, B.Vector == Vector {
    scale = F.broadcast(input.scale)
    zeroPoint = B.broadcast(input.zeroPoint)
  }
}

/// What a vector of columns has of its own.
@frozen
@usableFromInline
struct ColumnFactors<FloatVector: BitwiseCopyable, Vector: BitwiseCopyable> {
  /// The zero point's share.
  @usableFromInline let share: Vector
  /// What sums are multiplied with.
  @usableFromInline let factor: FloatVector
  @usableFromInline let bias: FloatVector
  /// Whether the input's scale is still to be multiplied with.
  @usableFromInline let scalesInTurn: Bool

  @_alwaysEmitIntoClient
  @inline(__always)
  init<F: FloatInstructions, B: ByteConversionInstructions>(
    _ task: HybridFinish, _ column: Int, _ input: RowInput<FloatVector, Vector>,
    _ scalesInTurn: Bool, _: F.Type, _: B.Type
  ) where F.Vector == FloatVector, B.FloatVector == FloatVector, B.Vector == Vector {
    let columnSums = unsafe UnsafeRawPointer(task.columnSums + column)
      .loadUnaligned(as: Vector.self)
    let scale = unsafe UnsafeRawPointer(task.scales + column).loadUnaligned(as: FloatVector.self)
    share = B.multiplyLanes(columnSums, input.zeroPoint)
    factor = scalesInTurn ? scale : F.multiply(input.scale, scale)
    bias = unsafe UnsafeRawPointer(task.biases + column).loadUnaligned(as: FloatVector.self)
    self.scalesInTurn = scalesInTurn
  }

  /// Turns a vector of sums into floats.
  @_alwaysEmitIntoClient
  @inline(__always)
  func finish<F: FloatInstructions, B: ByteConversionInstructions>(
    _ place: UnsafeMutableRawPointer, _ input: RowInput<FloatVector, Vector>,
    _ range: (lowest: FloatVector, highest: FloatVector), _: F.Type, _: B.Type
  ) where F.Vector == FloatVector, B.FloatVector == FloatVector, B.Vector == Vector {
    let sums = unsafe place.loadUnaligned(as: Vector.self)
    var value = F.multiply(B.convert(B.subtract(sums, share)), factor)
    if scalesInTurn { value = F.multiply(value, input.scale) }
    let result = F.clamp(F.add(value, bias), range.lowest, range.highest)
    unsafe place.storeBytes(of: result, as: FloatVector.self)
  }
}
