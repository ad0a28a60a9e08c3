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
  /// `x / y`.
  case divide
  /// `x` where `x > y`, else `y`.
  case maximum
  /// `x` where `x < y`, else `y`.
  case minimum
  /// `(x − y)²`.
  case squaredDifference
  /// `x · y` where `x < 0`, else `x`.
  case slopeBelowZero
  /// `x` where `x > 0`, else `x · y`.
  case slopeUpToZero
  /// 0 where `x > 0`, else `x · y`.
  case slopeOfNegatives

  /// Whether the operands may change places.
  package var isCommutative: Bool {
    switch self {
    case .add, .multiply, .squaredDifference: true
    default: false
    }
  }
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
  /// How many first operands have the same second one, the next ones the next; 0 where each has its
  /// own.
  @usableFromInline package var repetitions: Int
  /// The least result.
  @usableFromInline package var lowest: Float
  /// The greatest result.
  @usableFromInline package var highest: Float

  /// A row of these parts.
  package init(
    left: UnsafeRawPointer, right: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int,
    repetitions: Int = 0, lowest: Float, highest: Float
  ) {
    unsafe self.left = left
    unsafe self.right = right
    unsafe self.output = output
    unsafe self.count = count
    unsafe self.repetitions = repetitions
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
  @_alwaysEmitIntoClient
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
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load<I: FloatInstructions>(
    _ pointer: UnsafeRawPointer, _ start: Int, count: Int, _: I.Type
  ) -> I.Vector {
    unsafe I.broadcast(pointer.load(as: Float.self))
  }
}

/// Computes a row whose second operand has this form.
@_alwaysEmitIntoClient
@inline(__always)
package func computeRow<
  Operation: FloatRowOperation, Right: FloatRowOperand, I: FloatInstructions
>(_ row: FloatBinaryRow, _: Operation.Type, _: Right.Type, _: I.Type) {
  let (left, right) = unsafe (row.left, row.right)
  let lowest = unsafe I.broadcast(row.lowest)
  let highest = unsafe I.broadcast(row.highest)
  let lanes = I.laneCount
  @inline(__always)
  func result(_ start: Int) -> I.Vector {
    let value = unsafe Operation.apply(
      left.loadUnaligned(fromByteOffset: start &* 4, as: I.Vector.self),
      Right.load(right, start, count: lanes, I.self), I.self)
    return I.clamp(value, lowest, highest)
  }
  @inline(__always)
  func store(_ result: I.Vector, _ start: Int) {
    unsafe row.output.storeBytes(of: result, toByteOffset: start &* 4, as: I.Vector.self)
  }
  var start = 0
  // Short vectors four at a time: what a loop takes besides would be as much as their work.
  while unsafe lanes == 4 && start &+ 16 <= row.count {
    let (first, second) = (result(start), result(start &+ 4))
    let (third, fourth) = (result(start &+ 8), result(start &+ 12))
    store(first, start)
    store(second, start &+ 4)
    store(third, start &+ 8)
    store(fourth, start &+ 12)
    start &+= 16
  }
  while unsafe start &+ lanes <= row.count {
    store(result(start), start)
    start &+= lanes
  }
  let rest = unsafe row.count &- start
  if rest > 0 {
    let value = unsafe Operation.apply(
      I.loadPrefix(left + start &* 4, count: rest), Right.load(right, start, count: rest, I.self),
      I.self)
    unsafe I.storePrefix(
      I.clamp(value, lowest, highest), to: row.output + start &* 4, count: rest)
  }
}

/// Computes a row.
@_alwaysEmitIntoClient
@inline(__always)
package func computeRow<Operation: FloatRowOperation, I: FloatInstructions>(
  _ row: FloatBinaryRow, _: Operation.Type, _: I.Type
) {
  guard unsafe row.repetitions > 0 else {
    return unsafe computeRow(row, Operation.self, RunOperand.self, I.self)
  }
  var part = unsafe row
  var done = 0
  while unsafe done < row.count {
    unsafe part.count = min(row.repetitions, row.count &- done)
    unsafe computeRow(part, Operation.self, RepeatedOperand.self, I.self)
    let byteCount = unsafe part.count &* 4
    unsafe part.left += byteCount
    unsafe part.output += byteCount
    unsafe part.right += 4
    unsafe done &+= part.count
  }
}
