// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// `(a + b i)(c + d i) = (ac − bd) + (ad + bc) i`.
///
/// Where that is NaN although an operand is infinite, the product is infinite in the direction
/// that the operands' signs give, as the C standard asks for (annex G.5.1).
package struct ComplexMultiplication: BinaryArithmetic {
  @inline(__always)
  package func apply(_ left: Complex<Float>, _ right: Complex<Float>, _ steps: inout some Steps)
    -> Complex<Float>
  {
    let product = Self.product(left, right)
    guard product.real.isNaN, product.imaginary.isNaN else { return product }
    return Self.infiniteProduct(left, right) ?? product
  }

  private static func product(_ x: Complex<Float>, _ y: Complex<Float>) -> Complex<Float> {
    Complex(
      x.real * y.real - x.imaginary * y.imaginary, x.real * y.imaginary + x.imaginary * y.real)
  }

  /// The product of operands of which one is infinite, or whose partial products are.
  private static func infiniteProduct(
    _ left: Complex<Float>, _ right: Complex<Float>
  ) -> Complex<Float>? {
    var (x, y) = (left, right)
    let overflows =
      (x.real * y.real).isInfinite || (x.imaginary * y.imaginary).isInfinite
      || (x.real * y.imaginary).isInfinite || (x.imaginary * y.real).isInfinite
    guard isInfinite(x) || isInfinite(y) || overflows else { return nil }
    if isInfinite(x) {
      x = direction(x)
      y = zeroForNaN(y)
    }
    if isInfinite(y) {
      y = direction(y)
      x = zeroForNaN(x)
    }
    if !isInfinite(left), !isInfinite(right) { (x, y) = (zeroForNaN(x), zeroForNaN(y)) }
    let product = product(x, y)
    return Complex(.infinity * product.real, .infinity * product.imaginary)
  }

  private static func isInfinite(_ x: Complex<Float>) -> Bool {
    x.real.isInfinite || x.imaginary.isInfinite
  }

  /// Infinite parts as 1, others as 0, with their signs.
  private static func direction(_ x: Complex<Float>) -> Complex<Float> {
    Complex(
      Float(signOf: x.real, magnitudeOf: x.real.isInfinite ? 1 : 0),
      Float(signOf: x.imaginary, magnitudeOf: x.imaginary.isInfinite ? 1 : 0))
  }

  /// Parts that are NaN as 0, with their signs.
  private static func zeroForNaN(_ x: Complex<Float>) -> Complex<Float> {
    Complex(
      x.real.isNaN ? Float(signOf: x.real, magnitudeOf: 0) : x.real,
      x.imaginary.isNaN ? Float(signOf: x.imaginary, magnitudeOf: 0) : x.imaginary)
  }
}
