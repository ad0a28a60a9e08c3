// SPDX-License-Identifier: Apache-2.0

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
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector { I.add(left, right) }
}

/// `x − y`.
@frozen
@usableFromInline
package enum RowDifference: FloatRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector { I.subtract(left, right) }
}

/// `x · y`.
@frozen
@usableFromInline
package enum RowProduct: FloatRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector { I.multiply(left, right) }
}

/// `x / y`.
@frozen
@usableFromInline
package enum RowQuotient: FloatRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector { I.divide(left, right) }
}

/// `x` where `x > y`, else `y`.
@frozen
@usableFromInline
package enum RowMaximum: FloatRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector { I.select(right, lessThan: left, left, else: right) }
}

/// `x` where `x < y`, else `y`.
@frozen
@usableFromInline
package enum RowMinimum: FloatRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector { I.select(left, lessThan: right, left, else: right) }
}

/// `(x − y)²`.
@frozen
@usableFromInline
package enum RowSquaredDifference: FloatRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector {
    let difference = I.subtract(left, right)
    return I.multiply(difference, difference)
  }
}

/// `x · y` where `x < 0`, else `x`.
@frozen
@usableFromInline
package enum RowSlopeBelowZero: FloatRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector {
    I.select(left, lessThan: I.broadcast(0), I.multiply(left, right), else: left)
  }
}

/// `x` where `x > 0`, else `x · y`.
@frozen
@usableFromInline
package enum RowSlopeUpToZero: FloatRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector {
    I.select(I.broadcast(0), lessThan: left, left, else: I.multiply(left, right))
  }
}

/// 0 where `x > 0`, else `x · y`.
@frozen
@usableFromInline
package enum RowSlopeOfNegatives: FloatRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatInstructions>(
    _ left: I.Vector, _ right: I.Vector, _: I.Type
  ) -> I.Vector {
    let zero = I.broadcast(0)
    return I.select(zero, lessThan: left, zero, else: I.multiply(left, right))
  }
}
