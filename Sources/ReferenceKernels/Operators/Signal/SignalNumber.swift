// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A number of the audio front end's Fourier transforms, with kissfft's arithmetic.
///
/// Integers are fractions of 2^(b − 1), b their bits: products are rounded, halves up, and sums
/// wrap. kissfft: `_kiss_fft_guts.h`.
package protocol SignalNumber: TensorElement {
  /// 0.
  static var zero: Self { get }
  /// The cosine or sine `value` of a twiddle factor.
  static func factor(_ value: Double) -> Self
  /// `left + right`.
  static func sum(_ left: Self, _ right: Self) -> Self
  /// `left − right`.
  static func difference(_ left: Self, _ right: Self) -> Self
  /// `left · right`.
  static func product(_ left: Self, _ right: Self) -> Self
  /// `a · b + c · d`, rounded once.
  static func productSum(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self
  /// `a · b − c · d`, rounded once.
  static func productDifference(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self
  /// What sums of `count` numbers are divided by beforehand, so that they fit; floats are not.
  func share(of count: Int) -> Self
  /// `(left + right) / 2`.
  static func halfSum(_ left: Self, _ right: Self) -> Self
  /// `(left − right) / 2`.
  static func halfDifference(_ left: Self, _ right: Self) -> Self
  /// The result of an inverse transform of `length` real numbers, divided by their number unless
  /// that has happened on the way.
  func inverse(ofLength length: Int) -> Self
}

extension SignalNumber where Self: FixedWidthInteger & SignedInteger {
  private static var fractionBits: Int { Self.bitWidth - 1 }

  private static func rounded(_ product: Int64) -> Self {
    Self(truncatingIfNeeded: (product &+ 1 << (fractionBits - 1)) >> fractionBits)
  }

  package static func factor(_ value: Double) -> Self {
    Self((0.5 + Double(Self.max) * value).rounded(.down))
  }

  package static func sum(_ left: Self, _ right: Self) -> Self { left &+ right }

  package static func difference(_ left: Self, _ right: Self) -> Self { left &- right }

  package static func product(_ left: Self, _ right: Self) -> Self {
    rounded(Int64(left) &* Int64(right))
  }

  package static func productSum(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self {
    rounded(Int64(a) &* Int64(b) &+ Int64(c) &* Int64(d))
  }

  package static func productDifference(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self {
    rounded(Int64(a) &* Int64(b) &- Int64(c) &* Int64(d))
  }

  package func share(of count: Int) -> Self {
    Self.product(self, Self.max / Self(truncatingIfNeeded: count))
  }

  // C adds 16-bit numbers in 32 bits.
  package static func halfSum(_ left: Self, _ right: Self) -> Self {
    Self(truncatingIfNeeded: (Int32(left) &+ Int32(right)) >> 1)
  }

  package static func halfDifference(_ left: Self, _ right: Self) -> Self {
    Self(truncatingIfNeeded: (Int32(left) &- Int32(right)) >> 1)
  }

  package func inverse(ofLength length: Int) -> Self { self }
}

extension Int16: SignalNumber {}
extension Int32: SignalNumber {}

extension Float: SignalNumber {
  package static func factor(_ value: Double) -> Float { Float(value) }

  package static func sum(_ left: Float, _ right: Float) -> Float { left + right }

  package static func difference(_ left: Float, _ right: Float) -> Float { left - right }

  package static func product(_ left: Float, _ right: Float) -> Float { left * right }

  package static func productSum(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Float {
    a * b + c * d
  }

  package static func productDifference(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Float {
    a * b - c * d
  }

  package func share(of count: Int) -> Float { self }

  package static func halfSum(_ left: Float, _ right: Float) -> Float { (left + right) * 0.5 }

  package static func halfDifference(_ left: Float, _ right: Float) -> Float {
    (left - right) * 0.5
  }

  package func inverse(ofLength length: Int) -> Float { self / Float(length) }
}

/// A complex number of the audio front end's Fourier transforms.
package struct SignalComplex<Number: SignalNumber>: Sendable {
  /// The real part.
  package var real: Number
  /// The imaginary part.
  package var imaginary: Number

  /// The number of these parts.
  package init(_ real: Number, _ imaginary: Number) {
    self.real = real
    self.imaginary = imaginary
  }

  /// exp(i `angle`).
  init(angle: Double) {
    self.init(.factor(FloatMath.cos(angle)), .factor(FloatMath.sin(angle)))
  }

  static func + (left: Self, right: Self) -> Self {
    Self(.sum(left.real, right.real), .sum(left.imaginary, right.imaginary))
  }

  static func - (left: Self, right: Self) -> Self {
    Self(.difference(left.real, right.real), .difference(left.imaginary, right.imaginary))
  }

  static func * (left: Self, right: Self) -> Self {
    Self(
      .productDifference(left.real, right.real, left.imaginary, right.imaginary),
      .productSum(left.real, right.imaginary, left.imaginary, right.real))
  }

  /// Both parts times a real number.
  func times(_ factor: Number) -> Self {
    Self(.product(real, factor), .product(imaginary, factor))
  }

  /// The number times i.
  var turned: Self { Self(.difference(.zero, imaginary), real) }

  /// The conjugate.
  var conjugate: Self { Self(real, .difference(.zero, imaginary)) }

  /// Both parts divided by `count`, or as they are if they are floats.
  func share(of count: Int) -> Self { Self(real.share(of: count), imaginary.share(of: count)) }
}
