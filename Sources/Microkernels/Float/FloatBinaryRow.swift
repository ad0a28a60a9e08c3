// SPDX-License-Identifier: Apache-2.0

/// Element-wise operations on two floats that have vector kernels.
@frozen
@usableFromInline
package enum FloatBinaryOperation: Sendable {
  /// `x + y`.
  case add
  /// `x − y`.
  case subtract
  /// `x · y`.
  case multiply
}

/// A row of an element-wise operation, whose results are limited to an interval.
@unsafe
@frozen
@usableFromInline
package struct FloatBinaryRow {
  /// The first operands.
  @usableFromInline package var left: UnsafePointer<Float>
  /// The second operands.
  @usableFromInline package var right: UnsafePointer<Float>
  /// Where the results go.
  @usableFromInline package var output: UnsafeMutablePointer<Float>
  /// Results.
  @usableFromInline package var count: Int
  /// 0 where the first operand is one number, else 1.
  @usableFromInline package var leftStep: Int
  /// 0 where the second operand is one number, else 1.
  @usableFromInline package var rightStep: Int
  /// The least result.
  @usableFromInline package var lowest: Float
  /// The greatest result.
  @usableFromInline package var highest: Float

  /// A row of these parts.
  package init(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
    count: Int, leftStep: Int, rightStep: Int, lowest: Float, highest: Float
  ) {
    unsafe self.left = left
    unsafe self.right = right
    unsafe self.output = output
    unsafe self.count = count
    unsafe self.leftStep = leftStep
    unsafe self.rightStep = rightStep
    unsafe self.lowest = lowest
    unsafe self.highest = highest
  }
}

/// An operand of a row: a run of floats, or one float in all lanes.
@usableFromInline
package protocol FloatRowOperand {
  /// The lanes from an element on; fewer than a vector's where `count` says so.
  static func load<I: FloatInstructions>(
    _ pointer: UnsafeRawPointer, _ start: Int, count: Int, _: I.Type
  ) -> I.Vector
}

/// A run of floats.
@frozen
@usableFromInline
package enum RunOperand: FloatRowOperand {
  @inlinable
  @inline(__always)
  package static func load<I: FloatInstructions>(
    _ pointer: UnsafeRawPointer, _ start: Int, count: Int, _: I.Type
  ) -> I.Vector {
    if count < I.laneCount {
      unsafe I.loadPrefix(pointer + start &* 4, count: count)
    } else {
      unsafe pointer.loadUnaligned(fromByteOffset: start &* 4, as: I.Vector.self)
    }
  }
}

/// One float in all lanes.
@frozen
@usableFromInline
package enum RepeatedOperand: FloatRowOperand {
  @inlinable
  @inline(__always)
  package static func load<I: FloatInstructions>(
    _ pointer: UnsafeRawPointer, _ start: Int, count: Int, _: I.Type
  ) -> I.Vector {
    unsafe I.broadcast(pointer.load(as: Float.self))
  }
}

/// An operation of `FloatBinaryOperation` on the lanes of vectors.
@usableFromInline
package protocol FloatRowOperation {
  /// The results, without limits.
  static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector
}

/// `x + y`.
@frozen
@usableFromInline
package enum RowSum: FloatRowOperation {
  @inlinable
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector { I.add(left, right) }
}

/// `x − y`.
@frozen
@usableFromInline
package enum RowDifference: FloatRowOperation {
  @inlinable
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector { I.subtract(left, right) }
}

/// `x · y`.
@frozen
@usableFromInline
package enum RowProduct: FloatRowOperation {
  @inlinable
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector { I.multiply(left, right) }
}

/// Computes a row with operands of these forms.
@inlinable
@inline(__always)
package func computeRow<
  Operation: FloatRowOperation, Left: FloatRowOperand, Right: FloatRowOperand, I: FloatInstructions
>(
  _ row: FloatBinaryRow, _: Operation.Type, _: Left.Type, _: Right.Type, _: I.Type
) {
  let (left, right) = unsafe (UnsafeRawPointer(row.left), UnsafeRawPointer(row.right))
  let output = unsafe UnsafeMutableRawPointer(row.output)
  let lowest = unsafe I.broadcast(row.lowest)
  let highest = unsafe I.broadcast(row.highest)
  let lanes = I.laneCount
  var start = 0
  while unsafe start &+ lanes <= row.count {
    let value = unsafe Operation.apply(
      Left.load(left, start, count: lanes, I.self), Right.load(right, start, count: lanes, I.self),
      I.self)
    unsafe output.storeBytes(
      of: I.clamp(value, lowest, highest), toByteOffset: start &* 4, as: I.Vector.self)
    start &+= lanes
  }
  let rest = unsafe row.count &- start
  if rest > 0 {
    let value = unsafe Operation.apply(
      Left.load(left, start, count: rest, I.self), Right.load(right, start, count: rest, I.self),
      I.self)
    unsafe I.storePrefix(
      I.clamp(value, lowest, highest), to: output + start &* 4, count: rest)
  }
}

/// Computes a row, whatever is repeated in it.
@inlinable
@inline(__always)
package func computeRow<Operation: FloatRowOperation, I: FloatInstructions>(
  _ row: FloatBinaryRow, _: Operation.Type, _: I.Type
) {
  typealias Run = RunOperand
  typealias One = RepeatedOperand
  switch unsafe (row.leftStep, row.rightStep) {
  case (0, 0): unsafe computeRow(row, Operation.self, One.self, One.self, I.self)
  case (0, _): unsafe computeRow(row, Operation.self, One.self, Run.self, I.self)
  case (_, 0): unsafe computeRow(row, Operation.self, Run.self, One.self, I.self)
  default: unsafe computeRow(row, Operation.self, Run.self, Run.self, I.self)
  }
}
