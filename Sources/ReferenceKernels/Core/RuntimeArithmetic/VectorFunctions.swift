// SPDX-License-Identifier: Apache-2.0

/// The hyperbolic tangent as TFLite's recurrent kernels compute it, to the last bit.
///
///     tanh(x) ≈ (x³ p(x²) + x) / q(x²),  |x| ≤ 7.90738964,  p of degree 3, q of degree 4
///
/// These kernels do not call libm but Eigen, whose rational function differs from `tanhf` in about
/// half of all results, by up to 5 ulp. A hybrid cell quantizes its state, so that a last bit may
/// move a quantized value. Every product and sum is rounded: the runtime is built for processors
/// without fused multiplication. Eigen: `ptanh_float` (`GenericPacketMathFunctions.h`).
@frozen
@usableFromInline
package enum RationalTanh {
  /// Where the fraction is exactly 1.
  package static let limit: Float = 7.90738964080810547

  /// The function's value.
  package static func value(_ x: Float) -> Float {
    let limited = x > limit ? limit : (x < -limit ? -limit : x)
    return fraction(OneNumber(repeating: limited)).value
  }

  /// The function's value for numbers within the limit.
  @inlinable
  @inline(__always)
  package static func fraction<Number: LaneNumber>(_ x: Number) -> Number {
    let square = x.times(x)
    var p = Number(repeating: 1.394553628e-8)
    p = p.times(square).plus(2.102733560e-5)
    p = p.times(square).plus(3.520756727e-3)
    p = p.times(square).plus(1.340216100e-1)
    var q = Number(repeating: 8.015776984e-7)
    q = q.times(square).plus(3.326951409e-4)
    q = q.times(square).plus(2.597254514e-2)
    q = q.times(square).plus(4.673548340e-1)
    q = q.times(square).plus(1)
    return square.times(x).times(p).plus(x).over(q)
  }
}

/// A float, or several side by side, as the formulas of a vector take them.
///
/// Not with operators: more of these would slow down the compiler wherever there are some.
@usableFromInline
package protocol LaneNumber {
  init(repeating value: Float)
  func plus(_ other: Self) -> Self
  func times(_ other: Self) -> Self
  func over(_ other: Self) -> Self
}

extension LaneNumber {
  @inlinable
  @inline(__always)
  package func plus(_ constant: Float) -> Self { plus(Self(repeating: constant)) }

  @inlinable
  @inline(__always)
  package func times(_ constant: Float) -> Self { times(Self(repeating: constant)) }
}

/// One float.
@frozen
@usableFromInline
package struct OneNumber: LaneNumber {
  @usableFromInline package let value: Float

  @inlinable
  @inline(__always)
  package init(repeating value: Float) { self.value = value }

  @inlinable
  @inline(__always)
  package func plus(_ other: OneNumber) -> OneNumber { OneNumber(repeating: value + other.value) }

  @inlinable
  @inline(__always)
  package func times(_ other: OneNumber) -> OneNumber { OneNumber(repeating: value * other.value) }

  @inlinable
  @inline(__always)
  package func over(_ other: OneNumber) -> OneNumber { OneNumber(repeating: value / other.value) }
}

/// The logistic function of a vector as TFLite's recurrent kernels compute it, to the last bit.
///
/// Eigen takes four elements at a time from the first one at an address divisible by 16 on, and
/// the others before and after them one by one. The former use an exponential of its own, the
/// latter libm's; half of all results differ, by up to 5 ulp. See `RationalTanh` for why that
/// matters. Eigen: `scalar_logistic_op<float>` (`UnaryFunctors.h`), `DenseAssignmentLoop`.
@frozen
@usableFromInline
package struct VectorLogistic {
  /// The elements that are taken four at a time.
  package let packets: Range<Int>

  /// The function for a vector of `count` elements that starts `start` elements behind an address
  /// divisible by 16.
  package init(start: Int, count: Int) {
    let first = min((4 - start % 4) % 4, count)
    packets = first..<first + (count - first) / 4 * 4
  }

  /// The function's value for the element at `index`.
  package func value(_ x: Float, at index: Int) -> Float {
    packets.contains(index) ? Self.inPacket(x) : Self.alone(x)
  }

  /// Where the result is exactly 1.
  package static let limit: Float = 16.6355324
  /// Below this the result of a packet is 0.
  package static let least: Float = -104

  private static func alone(_ x: Float) -> Float {
    let e = FloatMath.exp(x > limit ? limit : x)
    return e / (1 + e)
  }

  private static func inPacket(_ x: Float) -> Float {
    if x < least { return 0 }
    let half = (x > limit ? limit : x) * 0.5
    guard !half.isNaN else { return half }
    let number = OneNumber(repeating: half)
    let m = exponent(number).value.rounded(.down)
    // m is in -75...12, so that 2^m is a normal number.
    let power = Float(bitPattern: UInt32(Int(m) + 127) << 23)
    return result(
      number, OneNumber(repeating: m), power: OneNumber(repeating: power)
    ).value
  }

  /// What is rounded down to `m` where `exp(x / 2) = 2^m exp(r)`.
  @inlinable
  @inline(__always)
  package static func exponent<Number: LaneNumber>(_ half: Number) -> Number {
    half.times(1.44269504088896341).plus(0.5)
  }

  /// The result with `e = exp(x / 2)²` and `exp(x / 2) = 2^m exp(r)`, where `exp(r)` is a polynomial
  /// and `power` is `2^m`.
  @inlinable
  @inline(__always)
  package static func result<Number: LaneNumber>(
    _ half: Number, _ m: Number, power: Number
  ) -> Number {
    var r = m.times(-0.693359375).plus(half)
    r = m.times(2.12194440e-4).plus(r)
    let square = r.times(r)
    let even = square.times(4.1898667812347412109375e-2).plus(0.49999141693115234375)
    let odd = square.times(8.33471305668354034423828125e-3).plus(0.16666877269744873046875)
    let p = square.times(r.times(odd).plus(even)).plus(r.plus(1))
    let root = p.times(power)
    let e = root.times(root)
    return e.over(Number(repeating: 1).plus(e))
  }
}

extension Steps {
  /// The logistic function of the element at `index` of a vector.
  @inline(__always)
  mutating func logistic(_ x: Float, _ function: VectorLogistic, at index: Int) -> Float {
    note("logistic", "1 / (1 + exp(-\(x.operand)))", function.value(x, at: index))
  }

  /// The hyperbolic tangent as Eigen computes it.
  @inline(__always)
  mutating func tanh(_ x: Float) -> Float { note("tanh", "tanh(\(x))", RationalTanh.value(x)) }
}
