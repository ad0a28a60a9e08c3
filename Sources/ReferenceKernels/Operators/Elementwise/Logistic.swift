// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let logistic = CatalogEntry(
    .logistic, chapter: .elementwise, formula: "y = 1 / (1 + e⁻ˣ)", versions: .upTo(3),
    variants: "f32 f16 bf16 u8_q i8_q i16_q", optimized: "f32 i8_q u8_q i16_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    Logistic()
  }

  static let tanh = CatalogEntry(
    .tanh, chapter: .elementwise, formula: "y = (eˣ − e⁻ˣ) / (eˣ + e⁻ˣ)", versions: .upTo(3),
    variants: "f32 f16 bf16 u8_q i8_q i16_q", optimized: "f32 i8_q u8_q i16_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    TanhOperator()
  }
}

/// `LOGISTIC`: the logistic function of each element.
///
/// 8-bit quantized values are tabulated; the output's scale must be 1/256, but TFLite does not
/// check its zero point. int16 interpolates a fixed table, see `SigmoidTable`; its output's scale
/// is 1/32768. TFLite: `activations.cc`, `reference/logistic.h`,
/// `reference/integer_ops/logistic.h`.
struct Logistic: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    switch unary.input.elementType {
    case .float32:
      return unary.prepared(RealArithmetic<ClampedSigmoid, Float>(function: ClampedSigmoid()))
    case .float16:
      return unary.prepared(RealArithmetic<ClampedSigmoid, Float16>(function: ClampedSigmoid()))
    case .bfloat16:
      return unary.prepared(RealArithmetic<ClampedSigmoid, BFloat16>(function: ClampedSigmoid()))
    case .uint8:
      let (input, output) = try scales(unary, 1 / 256)
      return unary.prepared(ByteTable<UInt8>(Sigmoid().ofTable, input: input, output: output))
    case .int8:
      let (input, output) = try scales(unary, 1 / 256)
      return unary.prepared(ByteTable<Int8>(Sigmoid().ofTable, input: input, output: output))
    case .int16:
      _ = try scales(unary, 1 / 32768)
      let input = try unary.symmetric().input
      return unary.prepared(
        Int16Logistic(table: SigmoidTable(scale: input.scale, exactShifts: 0...0)))
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func scales(
    _ unary: UnaryNode, _ wanted: Float
  ) throws(KernelError) -> (input: Affine, output: Affine) {
    let affine = try unary.affine()
    guard affine.output.scale == wanted else {
      throw .invalid("scale \(affine.output.scale), wanted \(wanted)", .output(0))
    }
    return affine
  }
}

/// `TANH`: the hyperbolic tangent of each element.
///
/// 8-bit quantized values are tabulated. int16 uses the table of `LOGISTIC`, as tanh(x) = 2σ(2x) −
/// 1; its output's scale must be 1/32768. TFLite: `activations.cc`, `reference/integer_ops/tanh.h`.
struct TanhOperator: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    guard unary.input.elementType == .int16 else {
      return try RealFunctionOperator(
        Tanh(), types: [.float32, .float16, .bfloat16, .uint8, .int8]
      ).prepare(node)
    }
    let (input, output) = try unary.symmetric()
    guard SigmoidTable.binaryLogarithm(output.scale) == -15 else {
      throw .invalid("scale \(output.scale), wanted 1/32768", .output(0))
    }
    return unary.prepared(Int16Tanh(table: SigmoidTable(scale: input.scale, exactShifts: 0...1)))
  }
}

/// `1 / (1 + e⁻ˣ)` as it stands.
package struct Sigmoid: RealFunction {
  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { 1 / (1 + FloatMath.exp(-x)) }
}

/// The logistic function of floats: 1 and eˣ where the quotient would round to them.
package struct ClampedSigmoid: RealFunction {
  package static var name: LoopFamily.Function? { .logistic }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float {
    if x > 16.619047164916992188 { return 1 }
    return x < -9 ? FloatMath.exp(x) : 1 / (1 + FloatMath.exp(-x))
  }
}

/// `tanh x`.
package struct Tanh: RealFunction {
  package static var name: LoopFamily.Function? { .tanh }

  @inline(__always)
  package func callAsFunction(_ x: Float) -> Float { FloatMath.tanh(x) }
}
