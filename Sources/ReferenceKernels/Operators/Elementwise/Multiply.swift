// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let mul = CatalogEntry(
    .mul, chapter: .elementwise, formula: "y = clamp(a b)", versions: .upTo(8, reference: 7),
    variants: "f32 i32 i64 c64 i16 u32 f16 u8_q i8_q i16_q i16_to_i8_q i16_to_u8_q",
    optimized: "f32 i32 u8_q i8_q i16_q",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    Multiplication(activation: try node.options(MulOptions.self).fusedActivation)
  }
}

/// `MUL`: the product of two tensors, broadcast to each other.
///
/// Integers wrap at their width; int16 is plain unless the output is quantized. Quantized int16
/// operands may have an 8-bit output: then their scales do not matter, see `HalvedMultiplication`.
/// TFLite: `mul.cc`, `reference/mul.h`, `reference/integer_ops/mul.h`.
struct Multiplication: Operator {
  let activation: FusedActivation

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    switch binary.left.elementType {
    case .float32: return binary.prepared(try FloatMultiplication<Float>(activation))
    case .float16: return binary.prepared(try FloatMultiplication<Float16>(activation))
    case .int32: return binary.prepared(try WrappingMultiplication<Int32>(activation))
    case .uint32: return binary.prepared(try WrappingMultiplication<UInt32>(activation))
    case .int64: return binary.prepared(try WrappingMultiplication<Int64>(activation))
    case .complex64:
      guard activation == .none else {
        throw .invalid("fused activation \(activation) of complex numbers")
      }
      return binary.prepared(ComplexMultiplication())
    case .uint8: return binary.prepared(try quantized(binary, node, as: UInt8.self))
    case .int8: return binary.prepared(try quantized(binary, node, as: Int8.self))
    case .int16: return try int16(binary, node)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func int16(
    _ binary: BinaryNode, _ node: PrepareContext
  ) throws(KernelError) -> Prepared {
    switch binary.declared.elementType {
    case .int16 where binary.declared.quantization == nil:
      return binary.prepared(try WrappingMultiplication<Int16>(activation))
    case .int8: return binary.prepared(try halved(binary, as: Int8.self))
    case .uint8: return binary.prepared(try halved(binary, as: UInt8.self))
    case .int16:
      try binary.expectSymmetric()
      return binary.prepared(try quantized(binary, node, as: Int16.self))
    case let other: throw .elementType(other, .output(0))
    }
  }

  private func quantized<Element: TensorElement & FixedWidthInteger>(
    _ binary: BinaryNode, _ node: PrepareContext, as type: Element.Type
  ) throws(KernelError) -> QuantizedMultiplication<Element> {
    let (left, right, output) = try binary.affine()
    return try QuantizedMultiplication(
      left, right, output, activation: activation, rounding: node.rounding)
  }

  private func halved<Output: TensorElement & FixedWidthInteger>(
    _ binary: BinaryNode, as type: Output.Type
  ) throws(KernelError) -> HalvedMultiplication<Output> {
    let output = try binary.declared.affine(.output(0))
    return HalvedMultiplication(
      zeroPoint: output.zeroPoint,
      range: try ActivationRange(activation, output: output, as: Output.self))
  }
}

/// `clamp(a b)` in floats.
package struct FloatMultiplication<Element: FloatElement>: BinaryArithmetic {
  package let range: ActivationRange<Float>

  init(_ activation: FusedActivation) throws(KernelError) {
    range = ActivationRange(activation, of: Element.self)
  }

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    steps.narrow(steps.activate(steps.product(left.widened, right.widened), range))
  }
}

/// `clamp(a b)` modulo the type's range.
package struct WrappingMultiplication<Element: TensorElement & FixedWidthInteger>: BinaryArithmetic
{
  package let range: ActivationRange<Element>

  init(_ activation: FusedActivation) throws(KernelError) {
    range = ActivationRange(integer: activation)
  }

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    steps.activate(steps.product(left, right), range)
  }
}

/// The product of quantized operands.
///
///     y = clamp(z_y + m (a − z_a)(b − z_b))
///
/// The factor `m = s_a s_b / s_y` is formed in float32.
package struct QuantizedMultiplication<Element: TensorElement & FixedWidthInteger>: BinaryArithmetic
{
  package let leftZeroPoint: Int32
  package let rightZeroPoint: Int32
  package let outputZeroPoint: Int32
  package let multiplier: FixedPointMultiplier
  package let range: ActivationRange<Int32>

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    // Two 16-bit numbers make 31 bits at most; damaged zero points may wrap.
    let product = steps.product(
      steps.difference(Int32(left), leftZeroPoint, "left operand"),
      steps.difference(Int32(right), rightZeroPoint, "right operand"))
    let scaled = steps.scale(product, by: multiplier)
    let quantized = steps.clamp(steps.addZeroPoint(scaled, outputZeroPoint), range)
    return steps.store(quantized, Element(truncatingIfNeeded: quantized))
  }
}

extension QuantizedMultiplication {
  init(
    _ left: Affine, _ right: Affine, _ output: Affine, activation: FusedActivation,
    rounding: Rounding
  ) throws(KernelError) {
    leftZeroPoint = left.zeroPoint
    rightZeroPoint = right.zeroPoint
    outputZeroPoint = output.zeroPoint
    multiplier = FixedPointMultiplier(
      Double(left.scale * right.scale / output.scale), rounding: rounding)
    range = try ActivationRange(activation, output: output, as: Element.self)
  }
}

/// The product of int16 operands as 8 bits: operands count as fractions of 2¹⁵, results of 2⁷.
///
///     y = z_y + clamp((2 a b / 2¹⁶) / 2⁸)
///
/// Both divisions round half away from zero. No scale enters.
package struct HalvedMultiplication<Output: TensorElement & FixedWidthInteger>: BinaryArithmetic {
  package let zeroPoint: Int32
  package let range: ActivationRange<Int32>

  @inline(__always)
  package func apply(_ left: Int16, _ right: Int16, _ steps: inout some Steps) -> Output {
    let fraction = Int32(steps.highProduct(left, right, "high product"))
    let quantized = steps.clamp(
      steps.addZeroPoint(steps.shift(fraction, by: 8), zeroPoint), range)
    return steps.store(quantized, Output(truncatingIfNeeded: quantized))
  }
}
