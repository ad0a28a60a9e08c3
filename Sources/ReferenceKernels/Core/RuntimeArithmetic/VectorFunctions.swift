// SPDX-License-Identifier: Apache-2.0

/// The hyperbolic tangent as TFLite's recurrent kernels compute it, to the last bit.
///
///     tanh(x) ≈ (x³ p(x²) + x) / q(x²),  |x| ≤ 7.90738964,  p of degree 3, q of degree 4
///
/// These kernels do not call libm but Eigen, whose rational function differs from `tanhf` in about
/// half of all results, by up to 5 ulp. A hybrid cell quantizes its state, so that a last bit may
/// move a quantized value. Every product and sum is rounded: the runtime is built for processors
/// without fused multiplication. Eigen: `ptanh_float` (`GenericPacketMathFunctions.h`).
package enum RationalTanh {
  /// The function's value.
  package static func value(_ x: Float) -> Float {
    // Where the fraction is exactly 1.
    let limit: Float = 7.90738964080810547
    let x = x > limit ? limit : (x < -limit ? -limit : x)
    let square = x * x
    var p: Float = 1.394553628e-8
    p = p * square + 2.102733560e-5
    p = p * square + 3.520756727e-3
    p = p * square + 1.340216100e-1
    var q: Float = 8.015776984e-7
    q = q * square + 3.326951409e-4
    q = q * square + 2.597254514e-2
    q = q * square + 4.673548340e-1
    q = q * square + 1
    return (square * x * p + x) / q
  }
}

/// The logistic function of a vector as TFLite's recurrent kernels compute it, to the last bit.
///
/// Eigen takes four elements at a time from the first one at an address divisible by 16 on, and
/// the others before and after them one by one. The former use an exponential of its own, the
/// latter libm's; half of all results differ, by up to 5 ulp. See `RationalTanh` for why that
/// matters. Eigen: `scalar_logistic_op<float>` (`UnaryFunctors.h`), `DenseAssignmentLoop`.
package struct VectorLogistic {
  /// The elements that are taken four at a time.
  let packets: Range<Int>

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
  private static let limit: Float = 16.6355324

  private static func alone(_ x: Float) -> Float {
    let e = FloatMath.exp(x > limit ? limit : x)
    return e / (1 + e)
  }

  /// With `e = exp(x / 2)²` and `exp(x / 2) = 2^m exp(r)`, where `exp(r)` is a polynomial.
  private static func inPacket(_ x: Float) -> Float {
    if x < -104 { return 0 }
    let half = (x > limit ? limit : x) * 0.5
    guard !half.isNaN else { return half }
    let m = (half * 1.44269504088896341 + 0.5).rounded(.down)
    var r = m * -0.693359375 + half
    r = m * 2.12194440e-4 + r
    let square = r * r
    let even = square * 4.1898667812347412109375e-2 + 0.49999141693115234375
    let odd = square * 8.33471305668354034423828125e-3 + 0.16666877269744873046875
    let p = square * (r * odd + even) + (r + 1)
    // m is in -75...12, so that 2^m is a normal number.
    let root = p * Float(bitPattern: UInt32(Int(m) + 127) << 23)
    let e = root * root
    return e / (1 + e)
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
