// SPDX-License-Identifier: Apache-2.0

/// Functions of one float that have vector kernels.
@frozen
@usableFromInline
package enum FloatFunction: Sendable, CaseIterable {
  /// `1 / (1 + e^−x)`, and `e^x` below −9 as TFLite has it.
  case logistic
  /// The hyperbolic tangent.
  case tanh
  /// `e^x`.
  case exponential
  /// `x · min(max(x + 3, 0), 6) / 6`.
  case hardSwish
  /// `x · σ(x)` with the logistic function `σ`, at most the greatest number.
  case swish
  /// `e^x − 1` below 0, and `x` from there on.
  case exponentialLinearUnit
  /// `x · Φ(x)` with the normal distribution's `Φ`.
  case gaussianErrorUnit
  /// The same, with a hyperbolic tangent in place of `Φ`.
  case tanhErrorUnit
  /// The natural logarithm.
  case logarithm
  /// The sine up to `VectorSine.limit`.
  case sine
  /// The cosine up to `VectorSine.limit`.
  case cosine
  /// `|x|`.
  case magnitude
  /// `−x`.
  case negation
  /// `x²`.
  case square
  /// `√x`.
  case squareRoot
  /// `1 / √x`.
  case reciprocalSquareRoot
  /// The greatest whole number up to `x`.
  case floor
  /// The least whole number from `x` on.
  case ceiling
  /// The nearest whole number, the even one of two; 0 for negative numbers that it is 0 for.
  case nearest
}

/// A run of elements that a function is applied to.
@unsafe
@frozen
@usableFromInline
package struct FloatFunctionTask {
  /// The operands.
  @usableFromInline package var input: UnsafePointer<Float>
  /// Where the results go.
  @usableFromInline package var output: UnsafeMutablePointer<Float>
  /// Elements.
  @usableFromInline package var count: Int

  /// A run of these parts.
  package init(input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, count: Int) {
    unsafe self.input = input
    unsafe self.output = output
    unsafe self.count = count
  }
}

/// A function on the lanes of a vector.
@usableFromInline
package protocol VectorFunction {
  /// The function's values.
  static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector
}

/// Applies a function to a run, some vectors at a time, then vector by vector; the rest of a vector is
/// computed the same way.
@_alwaysEmitIntoClient
@inline(__always)
package func applyFunction<F: VectorFunction, I: FloatInstructions, Several: FloatArithmetic>(
  _ task: FloatFunctionTask, _: F.Type, _: I.Type, several: Several.Type
) {
  var start = 0
  unsafe applyFunction(task, from: &start, F.self, Several.self)
  unsafe applyFunction(task, from: &start, F.self, I.self)
  let input = unsafe UnsafeRawPointer(task.input)
  let output = unsafe UnsafeMutableRawPointer(task.output)
  let rest = unsafe task.count &- start
  if rest > 0 {
    let x = unsafe I.loadPrefix(input + start &* 4, count: rest)
    unsafe I.storePrefix(F.apply(x, I.self), to: output + start &* 4, count: rest)
  }
}

/// Applies a function to a run from `start` on, as far as there are whole vectors.
@_alwaysEmitIntoClient
@inline(__always)
func applyFunction<F: VectorFunction, I: FloatArithmetic>(
  _ task: FloatFunctionTask, from start: inout Int, _: F.Type, _: I.Type
) {
  let input = unsafe UnsafeRawPointer(task.input)
  let output = unsafe UnsafeMutableRawPointer(task.output)
  while unsafe start &+ I.laneCount <= task.count {
    let x = unsafe input.loadUnaligned(fromByteOffset: start &* 4, as: I.Vector.self)
    unsafe output.storeBytes(of: F.apply(x, I.self), toByteOffset: start &* 4, as: I.Vector.self)
    start &+= I.laneCount
  }
}

/// `e^x`, to 2 units in the last place.
///
///     n = round(x / ln 2),  r = x − n ln 2,  e^x = 2^n (1 + r + r² P(r))
///
/// `ln 2` is split in two for an exact `r`, as in Stephen Moshier's Cephes library (`expf`). The coefficients
/// are floats with the least largest error of all of degree 4, 0.026 units in the last place.
@frozen
@usableFromInline
package enum VectorExponential: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    // Beyond these the result is 0 or infinite, and `n` would not fit.
    let parts = parts(of: I.clamp(x, I.broadcast(-104), I.broadcast(89)), I.self)
    return I.scale(I.add(parts.lessOne, I.broadcast(1)), byPowerOfTwo: parts.n)
  }

  /// `e^x` for numbers up to 0, or NaN; most subnormal results, with which processors are slow, are 0.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func applyToNegative<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let parts = parts(of: I.maximum(I.broadcast(-88), x), I.self)
    return I.multiply(
      I.add(parts.lessOne, I.broadcast(1)), I.powerOfTwo(shifted: parts.shifted))
  }

  /// `e^(x − n ln 2) − 1`, and `n` as it is and with `FloatPower.shift` added.
  ///
  /// With a `sign` of −1, `1 − e^(−x − n ln 2)`, and `n` for `−x`.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func parts<I: FloatArithmetic>(
    of x: I.Vector, sign: Float = 1, _: I.Type
  ) -> (lessOne: I.Vector, n: I.Vector, shifted: I.Vector) {
    // A sum with the shift has no fraction bits: it is rounded to nearest.
    let shift = I.broadcast(FloatPower.shift)
    let shifted = I.multiplyAdd(shift, x, I.broadcast(sign * 1.442_695_04))
    let n = I.subtract(shifted, shift)
    var r = I.multiplyAdd(x, n, I.broadcast(sign * -0.693_359_375))
    r = I.multiplyAdd(r, n, I.broadcast(sign * 2.121_944_4e-4))
    // In pairs of terms, which do not wait for each other.
    let square = I.multiply(r, r)
    let low = I.multiplyAdd(
      I.broadcast(sign * 4.999_999_4e-1), r, I.broadcast(1.666_652_1e-1))
    let middle = I.multiplyAdd(
      I.broadcast(sign * 4.166_826_6e-2), r, I.broadcast(8.368_684e-3))
    let high = I.multiplyAdd(middle, square, I.broadcast(sign * 1.382_094_6e-3))
    return (I.multiplyAdd(r, square, I.multiplyAdd(low, square, high)), n, shifted)
  }
}

/// The logistic function of the reference kernel, save that most subnormal results are 0.
@frozen
@usableFromInline
package enum VectorLogistic: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    // 1 / (1 + e^−x), and 1 / e^−x below −9; the power of two is infinite at the lower limit.
    let one = I.broadcast(1)
    let parts = VectorExponential.parts(
      of: I.clamp(x, I.broadcast(-88.5), I.broadcast(88)), sign: -1, I.self)
    let term = I.select(x, lessThan: I.broadcast(-9), I.broadcast(0), else: one)
    let power = I.powerOfTwo(shifted: parts.shifted)
    return I.divide(one, I.multiplyAdd(term, I.subtract(one, parts.lessOne), power))
  }
}

/// The hyperbolic tangent, to 2 units in the last place.
@frozen
@usableFromInline
package enum VectorTanh: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    // tanh |x| = −d / (d + 2) with d = e^(−2|x|) − 1, which loses no digits where x is small.
    let one = I.broadcast(1)
    let lower = I.negativeMagnitude(x)
    // Below this the result is ±1.
    let twice = I.maximum(I.broadcast(-19), I.add(lower, lower))
    let parts = VectorExponential.parts(of: twice, I.self)
    let power = I.powerOfTwo(shifted: parts.shifted)
    let d = I.multiplyAdd(I.subtract(power, one), parts.lessOne, power)
    let quotient = I.negativeMagnitude(I.divide(d, I.add(d, I.broadcast(2))))
    return I.flipSign(I.flipSign(quotient, whereNegative: lower), whereNegative: x)
  }
}

/// `x · min(max(x + 3, 0), 6) / 6`, bit for bit as the reference kernel.
@frozen
@usableFromInline
package enum VectorHardSwish: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let part = I.clamp(I.add(x, I.broadcast(3)), I.broadcast(0), I.broadcast(6))
    return I.divide(I.multiply(x, part), I.broadcast(6))
  }
}

/// `x · σ(x)`, bit for bit what `VectorLogistic` and a product give.
@frozen
@usableFromInline
package enum VectorSwish: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    // The least is about −0.28.
    I.minimum(
      I.broadcast(Float.greatestFiniteMagnitude), I.multiply(x, VectorLogistic.apply(x, I.self)))
  }
}
