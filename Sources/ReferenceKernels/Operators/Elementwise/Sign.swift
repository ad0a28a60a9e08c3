// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let abs = CatalogEntry(
    .abs, chapter: .elementwise, formula: "y = |x|", versions: .upTo(5, reference: 3),
    variants: "f32 i32 i16 i8_q i16_q", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { _ in AbsoluteValue() }

  static let neg = CatalogEntry(
    .neg, chapter: .elementwise, formula: "y = −x", versions: .upTo(1),
    variants: "f32 f16 bf16 i32 i64 i8 i16 i8_q i16_q", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { _ in
    Negation()
  }

  static let sign = CatalogEntry(
    .sign, chapter: .elementwise, formula: "y = 1 if x > 0, −1 if x < 0, else 0",
    versions: .upTo(2),
    variants: "f32 f64 i32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in SignFunction() }
}

/// `ABS`: the magnitude of each element.
///
/// The least plain integer stays itself. int8 is always quantized, int16 where it has parameters;
/// equal scales only move the zero point. TFLite: `elementwise.cc`.
struct AbsoluteValue: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    switch unary.input.elementType {
    case .float32: return unary.prepared(RealArithmetic<Magnitude, Float>(function: Magnitude()))
    case .int32: return unary.prepared(WrappingMagnitude<Int32>())
    case .int16 where unary.input.quantization == nil:
      return unary.prepared(WrappingMagnitude<Int16>())
    case .int16:
      let (input, output) = try unary.symmetric()
      return unary.prepared(QuantizedMagnitude<Int16>(input, output, rounding: node.rounding))
    case .int8:
      let (input, output) = try unary.affine()
      return unary.prepared(QuantizedMagnitude<Int8>(input, output, rounding: node.rounding))
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// `NEG`: each element with its sign changed.
///
/// Integers wrap. Quantized values are negated as they are, whatever their zero points.
/// TFLite: `neg.cc`.
struct Negation: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    switch unary.input.elementType {
    case .float32: return unary.prepared(RealArithmetic<Negate, Float>(function: Negate()))
    case .float16: return unary.prepared(RealArithmetic<Negate, Float16>(function: Negate()))
    case .bfloat16: return unary.prepared(RealArithmetic<Negate, BFloat16>(function: Negate()))
    case .int8: return unary.prepared(WrappingNegate<Int8>())
    case .int16: return unary.prepared(WrappingNegate<Int16>())
    case .int32: return unary.prepared(WrappingNegate<Int32>())
    case .int64: return unary.prepared(WrappingNegate<Int64>())
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// `SIGN`: −1, 0 or 1 for each element.
///
/// NaN stays NaN. TFLite: `sign.cc`.
struct SignFunction: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    switch unary.input.elementType {
    case .float32: return unary.prepared(Signum<Float>())
    case .float64: return unary.prepared(Signum<Double>())
    case .int32: return unary.prepared(Signum<Int32>())
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// `|x|`.
package struct Magnitude: RealFunction {
  package static var name: LoopFamily.Function? { .magnitude }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { x.magnitude }
}

/// `−x`.
package struct Negate: RealFunction {
  package static var name: LoopFamily.Function? { .negation }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { -x }
}

/// `|x|` of integers, modulo their range.
package struct WrappingMagnitude<Element>: UnaryArithmetic
where Element: TensorElement & FixedWidthInteger {
  @inline(__always)
  package func apply(_ value: Element, _ steps: inout some Steps) -> Element {
    value < 0 ? 0 &- value : value
  }
}

/// `−x` of integers, modulo their range.
package struct WrappingNegate<Element>: UnaryArithmetic
where Element: TensorElement & FixedWidthInteger {
  @inline(__always)
  package func apply(_ value: Element, _ steps: inout some Steps) -> Element { 0 &- value }
}

/// −1, 0 or 1; what is neither positive, negative nor 0 stays.
package struct Signum<Element: TensorElement & SignedNumeric & Comparable>: UnaryArithmetic {
  @inline(__always)
  package func apply(_ value: Element, _ steps: inout some Steps) -> Element {
    if value > 0 { return 1 }
    if value < 0 { return -1 }
    return value == 0 ? 0 : value
  }
}

/// The magnitude of quantized values.
///
///     y = clamp(z_y + m |x − z_x|)
///
/// The factor `m = s_x / s_y` is formed in float32; equal scales skip it.
package struct QuantizedMagnitude<Element>: UnaryArithmetic
where Element: TensorElement & FixedWidthInteger {
  package let inputZeroPoint: Int32
  package let outputZeroPoint: Int32
  package let multiplier: FixedPointMultiplier?

  init(_ input: Affine, _ output: Affine, rounding: Rounding) {
    inputZeroPoint = input.zeroPoint
    outputZeroPoint = output.zeroPoint
    multiplier =
      input.scale == output.scale
      ? nil
      : FixedPointMultiplier(Double(input.scale / output.scale), rounding: rounding)
  }

  @inline(__always)
  package func apply(_ value: Element, _ steps: inout some Steps) -> Element {
    let distance = steps.difference(Int32(value), inputZeroPoint, "distance")
    let magnitude = steps.note(
      "magnitude", "of \(distance)", distance < 0 ? 0 &- distance : distance)
    guard let multiplier else { return steps.store(magnitude, zeroPoint: outputZeroPoint) }
    return steps.store(steps.scale(magnitude, by: multiplier), zeroPoint: outputZeroPoint)
  }
}
