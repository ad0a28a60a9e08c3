// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The C library's elementary functions in single precision, the ones that TFLite calls.
package enum FloatMath {
  /// e to the power of `x`.
  @inline(__always)
  package static func exp(_ x: Float) -> Float { expf(x) }

  /// e to the power of `x` in double precision.
  @inline(__always)
  package static func exp(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.exp(x)
    #elseif canImport(Musl)
      Musl.exp(x)
    #elseif canImport(Darwin)
      Darwin.exp(x)
    #endif
  }

  /// The natural logarithm in double precision.
  @inline(__always)
  package static func log(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.log(x)
    #elseif canImport(Musl)
      Musl.log(x)
    #elseif canImport(Darwin)
      Darwin.log(x)
    #endif
  }

  /// `log(1 + x)` in double precision, accurate near 0.
  @inline(__always)
  package static func log1p(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.log1p(x)
    #elseif canImport(Musl)
      Musl.log1p(x)
    #elseif canImport(Darwin)
      Darwin.log1p(x)
    #endif
  }

  /// The sine in double precision.
  @inline(__always)
  package static func sin(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.sin(x)
    #elseif canImport(Musl)
      Musl.sin(x)
    #elseif canImport(Darwin)
      Darwin.sin(x)
    #endif
  }

  /// The cosine in double precision.
  @inline(__always)
  package static func cos(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.cos(x)
    #elseif canImport(Musl)
      Musl.cos(x)
    #elseif canImport(Darwin)
      Darwin.cos(x)
    #endif
  }

  /// `exp(x) - 1`, accurate near 0.
  @inline(__always)
  package static func expm1(_ x: Float) -> Float { expm1f(x) }

  /// The natural logarithm.
  @inline(__always)
  package static func log(_ x: Float) -> Float { logf(x) }

  /// The sine of an angle in radians.
  @inline(__always)
  package static func sin(_ x: Float) -> Float { sinf(x) }

  /// The cosine of an angle in radians.
  @inline(__always)
  package static func cos(_ x: Float) -> Float { cosf(x) }

  /// The hyperbolic tangent.
  @inline(__always)
  package static func tanh(_ x: Float) -> Float { tanhf(x) }

  /// The complementary error function, `1 - erf(x)`.
  @inline(__always)
  package static func erfc(_ x: Float) -> Float { erfcf(x) }

  /// `x` to the power of `y`.
  @inline(__always)
  package static func pow(_ x: Float, _ y: Float) -> Float { powf(x, y) }

  /// `x` to the power of `y` in double precision.
  @inline(__always)
  package static func pow(_ x: Double, _ y: Double) -> Double {
    #if canImport(Glibc)
      Glibc.pow(x, y)
    #elseif canImport(Musl)
      Musl.pow(x, y)
    #elseif canImport(Darwin)
      Darwin.pow(x, y)
    #endif
  }

  /// The angle of the point (`x`, `y`).
  @inline(__always)
  package static func atan2(_ y: Float, _ x: Float) -> Float { atan2f(y, x) }

  /// The angle of the point (`x`, `y`) in double precision.
  @inline(__always)
  package static func atan2(_ y: Double, _ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.atan2(y, x)
    #elseif canImport(Musl)
      Musl.atan2(y, x)
    #elseif canImport(Darwin)
      Darwin.atan2(y, x)
    #endif
  }

  /// The root of `x² + y²`.
  @inline(__always)
  package static func hypot(_ x: Float, _ y: Float) -> Float { hypotf(x, y) }

  /// The root of `x² + y²` in double precision.
  @inline(__always)
  package static func hypot(_ x: Double, _ y: Double) -> Double {
    #if canImport(Glibc)
      Glibc.hypot(x, y)
    #elseif canImport(Musl)
      Musl.hypot(x, y)
    #elseif canImport(Darwin)
      Darwin.hypot(x, y)
    #endif
  }

  /// The remainder of `x / y` truncated towards zero, with the sign of `x`.
  @inline(__always)
  package static func remainder(_ x: Float, _ y: Float) -> Float {
    let (dividend, divisor) = (Double(x), Double(y))
    let real = dividend / divisor
    guard real.magnitude < 0x1p29, y.isFinite else { return fmodf(x, y) }
    // A quotient of 29 bits times 24 bits are 53, and the difference has as many as y, and one more.
    let remainder = dividend - Double(Int32(real)) * divisor
    // The quotient is 1 too large where it was rounded to a whole number.
    let isBeyond = remainder * dividend < 0
    return Float(
      signOf: x, magnitudeOf: Float(remainder.magnitude - (isBeyond ? divisor.magnitude : 0)))
  }
}
