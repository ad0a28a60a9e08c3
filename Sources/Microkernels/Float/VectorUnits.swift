// SPDX-License-Identifier: Apache-2.0

// Functions that are made of exponentials.

/// `e^x − 1` below 0, which loses no digits where `x` is small, and `x` from there on.
@frozen
@usableFromInline
package enum VectorExponentialUnit: VectorFunction {
  @inlinable
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let (zero, one) = (I.broadcast(0), I.broadcast(1))
    // Below this the result is −1.
    let lower = I.maximum(I.broadcast(-19), I.minimum(x, zero))
    let parts = VectorExponential.parts(of: lower, I.self)
    let power = I.scaleDown(one, byPowerOfTwo: parts.n, shifted: parts.shifted)
    let lessOne = I.multiplyAdd(I.subtract(power, one), parts.lessOne, power)
    return I.select(x, lessThan: zero, lessOne, else: x)
  }
}

/// `x · Φ(x) = x/2 · erfc(−x / √2)`.
///
/// `erfc(z) = t · e^(P(t) − z²)` with `t = 1 / (1 + z/2)` from 0 on, within 1.2 · 10⁻⁷ of itself
/// (Press et al., Numerical Recipes, `erfcc`).
@frozen
@usableFromInline
package enum VectorGaussianUnit: VectorFunction {
  @inlinable
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let one = I.broadcast(1)
    let argument = I.multiply(x, I.broadcast(-0.707_106_781))
    let lower = I.negativeMagnitude(argument)
    let t = I.divide(one, I.multiplyAdd(one, lower, I.broadcast(-0.5)))
    // In pairs of terms, which do not wait for each other.
    let (square, fourth) = (I.multiply(t, t), I.multiply(I.multiply(t, t), I.multiply(t, t)))
    let ninth = I.multiplyAdd(I.broadcast(-0.822_152_23), t, I.broadcast(0.170_872_77))
    let seventh = I.multiplyAdd(I.broadcast(-1.135_203_98), t, I.broadcast(1.488_515_87))
    let fifth = I.multiplyAdd(I.broadcast(-0.186_288_06), t, I.broadcast(0.278_868_07))
    let third = I.multiplyAdd(I.broadcast(0.374_091_96), t, I.broadcast(0.096_784_18))
    let first = I.multiplyAdd(I.broadcast(-1.265_512_23), t, I.broadcast(1.000_023_68))
    let high = I.multiplyAdd(I.multiplyAdd(fifth, square, seventh), fourth, ninth)
    let p = I.multiplyAdd(I.multiplyAdd(first, square, third), fourth, high)
    let magnitude = VectorMagnitude.apply(lower, I.self)
    let power = I.multiplyAdd(p, lower, magnitude)
    let upper = I.multiply(t, VectorExponential.applyToNegative(power, I.self))
    let erfc = I.select(whereNegative: argument, I.subtract(I.broadcast(2), upper), else: upper)
    return I.multiply(I.multiply(x, I.broadcast(0.5)), erfc)
  }
}

/// `x/2 · (1 + tanh u)` with `u = √(2/π) (x + 0.044715 x³)`, which is `x · σ(2u)`.
@frozen
@usableFromInline
package enum VectorTanhUnit: VectorFunction {
  @inlinable
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
  @inlinable
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
