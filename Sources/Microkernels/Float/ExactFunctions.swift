// SPDX-License-Identifier: Apache-2.0

// Functions whose results are the reference kernels', bit for bit.

/// `|x|`.
@frozen
@usableFromInline
package enum VectorMagnitude: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    I.flipSign(x, whereNegative: x)
  }
}

/// `−x`.
@frozen
@usableFromInline
package enum VectorNegation: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    I.flipSign(x, whereNegative: I.broadcast(-1))
  }
}

/// `x²`.
@frozen
@usableFromInline
package enum VectorSquare: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    I.multiply(x, x)
  }
}

/// `√x`.
@frozen
@usableFromInline
package enum VectorSquareRoot: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    I.squareRoot(x)
  }
}

/// `1 / √x`.
@frozen
@usableFromInline
package enum VectorReciprocalSquareRoot: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    I.divide(I.broadcast(1), I.squareRoot(x))
  }
}

/// The nearest whole number, the even one of two, with the sign of `x`.
@frozen
@usableFromInline
package enum VectorWhole: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    // From 2^23 on all numbers are whole; smaller ones lose their fraction bits in a sum with it.
    let limit = I.broadcast(8_388_608)
    let magnitude = VectorMagnitude.apply(x, I.self)
    let whole = I.subtract(I.add(magnitude, limit), limit)
    return I.select(magnitude, lessThan: limit, I.flipSign(whole, whereNegative: x), else: x)
  }
}

/// The greatest whole number up to `x`.
@frozen
@usableFromInline
package enum VectorFloor: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let whole = VectorWhole.apply(x, I.self)
    return I.select(x, lessThan: whole, I.subtract(whole, I.broadcast(1)), else: whole)
  }
}

/// The least whole number from `x` on.
@frozen
@usableFromInline
package enum VectorCeiling: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let whole = VectorWhole.apply(x, I.self)
    let ceiling = I.select(whole, lessThan: x, I.add(whole, I.broadcast(1)), else: whole)
    // −1 and 1 are 0, which has the sign of `x`.
    return I.flipSign(VectorMagnitude.apply(ceiling, I.self), whereNegative: x)
  }
}

/// The nearest whole number, the even one of two; +0 for negative numbers that it is 0 for.
@frozen
@usableFromInline
package enum VectorNearest: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let (zero, whole) = (I.broadcast(0), VectorWhole.apply(x, I.self))
    // Adding 0 leaves every number but −0.
    return I.select(x, lessThan: zero, I.add(whole, zero), else: whole)
  }
}
