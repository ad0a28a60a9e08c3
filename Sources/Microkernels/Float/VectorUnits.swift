// SPDX-License-Identifier: Apache-2.0

// Functions that are made of exponentials.

/// `e^x − 1` below 0, which loses no digits where `x` is small, and `x` from there on.
@frozen
@usableFromInline
package enum VectorExponentialUnit: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let (zero, one) = (I.broadcast(0), I.broadcast(1))
    // Below this the result is −1.
    let lower = I.maximum(I.broadcast(-19), I.minimum(x, zero))
    let parts = VectorExponential.parts(of: lower, I.self)
    let power = I.powerOfTwo(shifted: parts.shifted)
    let lessOne = I.multiplyAdd(I.subtract(power, one), parts.lessOne, power)
    return I.select(x, lessThan: zero, lessOne, else: x)
  }
}

/// `x · Φ(x)` with `Φ(−t) = ½ P(t)^−8` for `t` from 0 on, and `Φ(t) = 1 − Φ(−t)`.
///
/// The coefficients of `P`, of degree 10, are those with the least largest error of the result relative to
/// `|x| Φ(x) + 0.001` from −7 to 0. It is within 2.2 · 10⁻⁷, or within a unit in the last place where that is
/// more, and within 2.1 · 10⁻⁶ of its size from −4 on.
@frozen
@usableFromInline
package enum VectorGaussianUnit: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let t = VectorMagnitude.apply(x, I.self)
    var p = I.multiplyAdd(I.broadcast(-1.211_573_6e-6), t, I.broadcast(9.027_419_2e-8))
    p = I.multiplyAdd(I.broadcast(9.241_414e-6), t, p)
    p = I.multiplyAdd(I.broadcast(-3.212_349_5e-5), t, p)
    p = I.multiplyAdd(I.broadcast(1.113_711_1e-4), t, p)
    p = I.multiplyAdd(I.broadcast(1.246_301e-4), t, p)
    p = I.multiplyAdd(I.broadcast(9.382_145e-4), t, p)
    p = I.multiplyAdd(I.broadcast(8.630_268e-3), t, p)
    p = I.multiplyAdd(I.broadcast(4.477_363e-2), t, p)
    p = I.multiplyAdd(I.broadcast(9.973_460_4e-2), t, p)
    p = I.multiplyAdd(I.broadcast(1), t, p)
    let square = I.multiply(p, p)
    let fourth = I.multiply(square, square)
    // Infinite, and the quotient 0, where `x` is far from 0.
    let lower = I.divide(I.broadcast(0.5), I.multiply(fourth, fourth))
    let upper = I.subtract(I.broadcast(1), lower)
    return I.multiply(x, I.select(whereNegative: x, lower, else: upper))
  }
}

/// `x/2 · (1 + tanh u)` with `u = √(2/π) (x + 0.044715 x³)`, which is `x · σ(2u)`.
@frozen
@usableFromInline
package enum VectorTanhUnit: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let square = I.multiply(x, x)
    let factor = I.multiplyAdd(I.broadcast(1), square, I.broadcast(0.044_715))
    let twice = I.multiply(I.multiply(x, factor), I.broadcast(1.595_769_12))
    return I.multiply(x, VectorLogistic.apply(twice, I.self))
  }
}

/// The natural logarithm; the coefficients are those of Stephen Moshier's Cephes library (`logf`).
///
///     ln x = n ln 2 + r − r²/2 + r³ P(r),  x = 2^n (1 + r)
@frozen
@usableFromInline
package enum VectorLogarithm: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let zero = I.broadcast(0)
    let leastNormal = I.broadcast(Float.leastNormalMagnitude)
    // Subnormal numbers become normal ones.
    let scaled = I.select(x, lessThan: leastNormal, I.multiply(x, I.broadcast(0x1p23)), else: x)
    let shift = I.select(x, lessThan: leastNormal, I.broadcast(-23), else: zero)
    let parts = I.parts(of: scaled)
    let (r, n) = (I.subtract(parts.fraction, I.broadcast(1)), I.add(parts.exponent, shift))
    let square = I.multiply(r, r)
    var p = I.multiplyAdd(I.broadcast(-1.151_461_03e-1), r, I.broadcast(7.037_683_63e-2))
    p = I.multiplyAdd(I.broadcast(1.167_699_87e-1), r, p)
    p = I.multiplyAdd(I.broadcast(-1.242_014_08e-1), r, p)
    p = I.multiplyAdd(I.broadcast(1.424_932_28e-1), r, p)
    p = I.multiplyAdd(I.broadcast(-1.666_805_77e-1), r, p)
    p = I.multiplyAdd(I.broadcast(2.000_071_48e-1), r, p)
    p = I.multiplyAdd(I.broadcast(-2.499_999_40e-1), r, p)
    p = I.multiplyAdd(I.broadcast(3.333_333_12e-1), r, p)
    var rest = I.multiply(I.multiply(p, r), square)
    rest = I.multiplyAdd(rest, n, I.broadcast(-2.121_944_4e-4))
    rest = I.multiplyAdd(rest, square, I.broadcast(-0.5))
    let value = I.multiplyAdd(I.add(r, rest), n, I.broadcast(0.693_359_375))
    // Infinity and NaN are their own; 0 gives −∞, and numbers below it NaN.
    let infinity = I.broadcast(Float.infinity)
    let finite = I.select(x, lessThan: infinity, value, else: x)
    let edge = I.select(x, lessThan: zero, I.broadcast(Float.nan), else: I.subtract(x, infinity))
    return I.select(zero, lessThan: x, finite, else: edge)
  }
}
