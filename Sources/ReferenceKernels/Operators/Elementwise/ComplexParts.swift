// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let real = CatalogEntry(
    .real, chapter: .elementwise, formula: "real(a + b i) = a", versions: .upTo(1),
    variants: "c64 c128", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in ComplexParts(part: .real) }

  static let imag = CatalogEntry(
    .imag, chapter: .elementwise, formula: "imag(a + b i) = b", versions: .upTo(1),
    variants: "c64 c128", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in
    ComplexParts(part: .imaginary)
  }

  static let complexAbs = CatalogEntry(
    .complexAbs, chapter: .elementwise, formula: "|a + b i| = √(a² + b²)", versions: .upTo(1),
    variants: "c64 c128", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in
    ComplexParts(part: .magnitude)
  }
}

/// `REAL`, `IMAG` and `COMPLEX_ABS`: one real number for each complex one.
///
/// The result is as precise as the parts. TFLite: `complex_support.cc`.
struct ComplexParts: Operator {
  /// Which number is taken.
  enum Part: Sendable {
    case real, imaginary, magnitude
  }

  let part: Part

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let (input, declared) = (try node.input(0), try node.declaredOutput())
    switch input.elementType {
    case .complex64: return try prepared(input, declared, partsOf: Float.self)
    case .complex128: return try prepared(input, declared, partsOf: Double.self)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func prepared<Number: ComplexPart>(
    _ input: TensorType, _ declared: TensorType, partsOf type: Number.Type
  ) throws(KernelError) -> Prepared {
    try declared.expect(Number.elementType, .output(0))
    let output = declared.with(shape: input.shape)
    switch part {
    case .real: return Prepared(output, UnaryKernel(RealPart<Number>()))
    case .imaginary: return Prepared(output, UnaryKernel(ImaginaryPart<Number>()))
    case .magnitude: return Prepared(output, UnaryKernel(ComplexMagnitude<Number>()))
    }
  }
}

/// A number that complex numbers are made of.
package protocol ComplexPart: TensorElement, BinaryFloatingPoint {
  /// `√(x² + y²)` without overflow on the way.
  static func hypotenuse(_ x: Self, _ y: Self) -> Self
}

extension Float: ComplexPart {
  package static func hypotenuse(_ x: Float, _ y: Float) -> Float { FloatMath.hypot(x, y) }
}

extension Double: ComplexPart {
  package static func hypotenuse(_ x: Double, _ y: Double) -> Double { FloatMath.hypot(x, y) }
}

/// `a` of `a + b i`.
package struct RealPart<Number: ComplexPart>: UnaryArithmetic {
  @inline(__always)
  package func apply(_ value: Complex<Number>, _ steps: inout some Steps) -> Number { value.real }
}

/// `b` of `a + b i`.
package struct ImaginaryPart<Number: ComplexPart>: UnaryArithmetic {
  @inline(__always)
  package func apply(_ value: Complex<Number>, _ steps: inout some Steps) -> Number {
    value.imaginary
  }
}

/// `|a + b i|`.
package struct ComplexMagnitude<Number: ComplexPart>: UnaryArithmetic {
  @inline(__always)
  package func apply(_ value: Complex<Number>, _ steps: inout some Steps) -> Number {
    Number.hypotenuse(value.real, value.imaginary)
  }
}
