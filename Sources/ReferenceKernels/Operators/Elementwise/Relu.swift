// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let relu = CatalogEntry(
    .relu, chapter: .elementwise, formula: "y = max(x, 0)", versions: .upTo(3),
    variants: "f32 u8_q i8_q i16_q", optimized: "f32 i8_q u8_q i16_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    Relu(interval: ActivationRange(0, .infinity), takesInt16: true)
  }

  static let relu6 = CatalogEntry(
    .relu6, chapter: .elementwise, formula: "y = min(max(x, 0), 6)", versions: .upTo(3),
    variants: "f32 u8_q i8_q i16_q", optimized: "f32 i8_q u8_q i16_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    Relu(interval: ActivationRange(0, 6), takesInt16: true)
  }

  static let reluN1To1 = CatalogEntry(
    .reluN1To1, chapter: .elementwise, formula: "y = min(max(x, −1), 1)", versions: .upTo(1),
    variants: "f32 u8_q i8_q", optimized: "f32 i8_q u8_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    Relu(interval: ActivationRange(-1, 1), takesInt16: false)
  }

  static let relu0To1 = CatalogEntry(
    .relu0To1, chapter: .elementwise, formula: "y = min(max(x, 0), 1)", versions: .upTo(1),
    variants: "f32 u8_q i8_q", optimized: "f32 i8_q u8_q",
    work: .eachOutput, reads: .everything
  ) { _ in
    Relu(interval: ActivationRange(0, 1), takesInt16: false)
  }
}

/// `RELU`, `RELU6`, `RELU_N1_TO_1` and `RELU_0_TO_1`: each element limited to an interval.
///
/// Quantized tensors are requantized on the way; the ratio of their scales is a float32. TFLite
/// takes int16 for `RELU` and `RELU6` only. TFLite: `activations.cc`.
struct Relu: Operator {
  let interval: ActivationRange<Float>
  let takesInt16: Bool

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    switch unary.input.elementType {
    case .float32: return unary.prepared(Clamp(interval: interval))
    case .uint8: return unary.prepared(try quantized(unary, node.rounding, as: UInt8.self))
    case .int8: return unary.prepared(try quantized(unary, node.rounding, as: Int8.self))
    case .int16 where takesInt16:
      _ = try unary.symmetric()
      return unary.prepared(try quantized(unary, node.rounding, as: Int16.self))
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func quantized<Element: TensorElement & FixedWidthInteger>(
    _ unary: UnaryNode, _ rounding: Rounding, as type: Element.Type
  ) throws(KernelError) -> Requantization<Element, Element> {
    let (input, output) = try unary.affine()
    return Requantization(
      input, output,
      multiplier: FixedPointMultiplier(Double(input.scale / output.scale), rounding: rounding),
      range: try ActivationRange(interval, output: output, as: Element.self))
  }
}

/// A float limited to an interval; NaN stays NaN.
package struct Clamp: UnaryArithmetic {
  package let interval: ActivationRange<Float>

  @inline(__always)
  package func apply(_ value: Float, _ steps: inout some Steps) -> Float {
    steps.note(
      "clamp", "\(value) to \(interval.lowest)...\(interval.highest)", interval.clamp(value))
  }
}
