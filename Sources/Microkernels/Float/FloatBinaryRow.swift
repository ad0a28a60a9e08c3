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
  @usableFromInline package var left: UnsafeRawPointer
  /// The second operands.
  @usableFromInline package var right: UnsafeRawPointer
  /// Where the results go.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Results.
  @usableFromInline package var count: Int
  /// The least result.
  @usableFromInline package var lowest: Float
  /// The greatest result.
  @usableFromInline package var highest: Float

  /// A row of these parts.
  package init(
    left: UnsafeRawPointer, right: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int,
    lowest: Float, highest: Float
  ) {
    unsafe self.left = left
    unsafe self.right = right
    unsafe self.output = output
    unsafe self.count = count
    unsafe self.lowest = lowest
    unsafe self.highest = highest
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

/// Computes a row.
@inlinable
@inline(__always)
package func computeRow<Operation: FloatRowOperation, I: FloatInstructions>(
  _ row: FloatBinaryRow, _: Operation.Type, _: I.Type
) {
  let (left, right) = unsafe (row.left, row.right)
  let lowest = unsafe I.broadcast(row.lowest)
  let highest = unsafe I.broadcast(row.highest)
  let lanes = I.laneCount
  var start = 0
  while unsafe start &+ lanes <= row.count {
    let value = unsafe Operation.apply(
      left.loadUnaligned(fromByteOffset: start &* 4, as: I.Vector.self),
      right.loadUnaligned(fromByteOffset: start &* 4, as: I.Vector.self), I.self)
    unsafe row.output.storeBytes(
      of: I.clamp(value, lowest, highest), toByteOffset: start &* 4, as: I.Vector.self)
    start &+= lanes
  }
  let rest = unsafe row.count &- start
  if rest > 0 {
    let value = unsafe Operation.apply(
      I.loadPrefix(left + start &* 4, count: rest), I.loadPrefix(right + start &* 4, count: rest),
      I.self)
    unsafe I.storePrefix(
      I.clamp(value, lowest, highest), to: row.output + start &* 4, count: rest)
  }
}
