// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let add = CatalogEntry(
    .add, chapter: .elementwise, formula: "y = clamp(a + b)", versions: .upTo(6, reference: 5),
    variants: "f32 i32 i64 f16 i16 u8_q i8_q i16_q", optimized: "f32 i32 u8_q i8_q i16_q",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    let options = try node.options(AddOptions.self)
    return Addition(
      activation: options.fusedActivation,
      allowsPowerOfTwoScales: node.hasOptions && options.powerOfTwoScaleInt16,
      isSubtraction: false)
  }

  static let sub = CatalogEntry(
    .sub, chapter: .elementwise, formula: "y = clamp(a − b)", versions: .upTo(5),
    variants: "f32 i32 i64 u8_q i8_q i16_q", optimized: "f32 i32 u8_q i8_q i16_q",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    let options = try node.options(SubOptions.self)
    return Addition(
      activation: options.fusedActivation,
      allowsPowerOfTwoScales: node.hasOptions && options.powerOfTwoScaleInt16,
      isSubtraction: true)
  }
}

/// `ADD` and `SUB`: the sum or difference of two tensors, broadcast to each other.
///
/// Integers wrap at their width. Quantized operands of 8 bits are brought
/// to a common scale first, see `QuantizedAddition`; int16 ones likewise, unless `pot_scale_int16`
/// is set and every scale is a power of two, see `PowerOfTwoAddition`. The schema sets that flag
/// where a table of options leaves it out, but TFLite does not where there is no such table.
/// TFLite: `add.cc`, `sub.cc`, `reference/add.h`, `reference/sub.h`.
struct Addition: Operator {
  let activation: FusedActivation
  let allowsPowerOfTwoScales: Bool
  let isSubtraction: Bool

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    switch binary.left.elementType {
    case .float32:
      return binary.prepared(
        FloatAddition<Float>(
          range: ActivationRange(activation), isSubtraction: isSubtraction))
    case .float16 where !isSubtraction:
      return binary.prepared(
        FloatAddition<Float16>(
          range: ActivationRange(activation, of: Float16.self), isSubtraction: false))
    case .int32:
      return binary.prepared(
        try WrappingAddition<Int32>(activation, isSubtraction: isSubtraction))
    case .int64:
      return binary.prepared(
        try WrappingAddition<Int64>(activation, isSubtraction: isSubtraction))
    case .int16 where binary.left.quantization == nil && !isSubtraction:
      return binary.prepared(try WrappingAddition<Int16>(activation, isSubtraction: false))
    case .uint8: return binary.prepared(try quantized(binary, node, as: UInt8.self))
    case .int8: return binary.prepared(try quantized(binary, node, as: Int8.self))
    case .int16: return try int16(binary, node)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func int16(
    _ binary: BinaryNode, _ node: PrepareContext
  ) throws(KernelError) -> Prepared {
    try binary.expectSymmetric()
    let (left, right, output) = try binary.affine()
    if allowsPowerOfTwoScales,
      let arithmetic = try PowerOfTwoAddition(
        left, right, output, activation: activation, isSubtraction: isSubtraction)
    {
      return binary.prepared(arithmetic)
    }
    return binary.prepared(try quantized(binary, node, as: Int16.self))
  }

  private func quantized<Element: TensorElement & FixedWidthInteger>(
    _ binary: BinaryNode, _ node: PrepareContext, as type: Element.Type
  ) throws(KernelError) -> QuantizedAddition<Element> {
    let (left, right, output) = try binary.affine()
    return try QuantizedAddition(
      left, right, output, activation: activation, isSubtraction: isSubtraction,
      rounding: node.rounding)
  }
}

/// `clamp(a ± b)` in floats.
package struct FloatAddition<Element: FloatElement>: BinaryArithmetic {
  package let range: ActivationRange<Float>
  package let isSubtraction: Bool

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    let (a, b) = (left.widened, right.widened)
    let sum = isSubtraction ? steps.difference(a, b) : steps.sum(a, b)
    return steps.narrow(steps.activate(sum, range))
  }
}

/// `clamp(a ± b)` modulo the type's range.
package struct WrappingAddition<Element: TensorElement & FixedWidthInteger>: BinaryArithmetic {
  package let range: ActivationRange<Element>
  package let isSubtraction: Bool

  init(_ activation: FusedActivation, isSubtraction: Bool) throws(KernelError) {
    range = ActivationRange(integer: activation)
    self.isSubtraction = isSubtraction
  }

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    steps.activate(isSubtraction ? steps.difference(left, right) : steps.sum(left, right), range)
  }
}

/// The sum of quantized operands, each brought to a common scale by fixed-point factors.
///
///     y = clamp(z_y + m_y · (m_a · (a − z_a)·2ˢ ± m_b · (b − z_b)·2ˢ))
///
/// The common scale is twice the larger input scale: `m_a = s_a / (2 max(s_a, s_b))`, and
/// `m_y = 2 max(s_a, s_b) / (2ˢ s_y)`. The shift `s` of 20 (8 bits) or 15 (16 bits) keeps as many
/// fraction bits as 32 bits hold: 9 + 20 or 16 + 15, and one for the sum.
package struct QuantizedAddition<Element: TensorElement & FixedWidthInteger>: BinaryArithmetic {
  package let left: ScaledOperand
  package let right: ScaledOperand
  package let output: FixedPointMultiplier
  package let outputZeroPoint: Int32
  package let isSubtraction: Bool
  package let range: ActivationRange<Int32>

  init(
    _ left: Affine, _ right: Affine, _ result: Affine, activation: FusedActivation,
    isSubtraction: Bool, rounding: Rounding
  ) throws(KernelError) {
    let shift: Int32 = Element.bitWidth == 16 ? 15 : 20
    let common = 2 * Double(max(left.scale, right.scale))
    let outputFactor = common / (Double(1 << shift) * Double(result.scale))
    guard isSubtraction || outputFactor < 1 else {
      throw .invalid("input scales exceed what the output scale allows", .output(0))
    }
    self.left = ScaledOperand(
      zeroPoint: left.zeroPoint,
      multiplier: FixedPointMultiplier(Double(left.scale) / common, rounding: rounding),
      shift: shift)
    self.right = ScaledOperand(
      zeroPoint: right.zeroPoint,
      multiplier: FixedPointMultiplier(Double(right.scale) / common, rounding: rounding),
      shift: shift)
    self.isSubtraction = isSubtraction
    output = FixedPointMultiplier(outputFactor, rounding: rounding)
    outputZeroPoint = result.zeroPoint
    range = try ActivationRange(activation, output: result, as: Element.self)
  }

  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    let a = self.left.scaled(Int32(left), "left", &steps)
    let b = self.right.scaled(Int32(right), "right", &steps)
    let sum = isSubtraction ? steps.difference(a, b) : steps.sum(a, b)
    let scaled = steps.scale(sum, by: output, "output multiplier")
    return steps.store(scaled, zeroPoint: outputZeroPoint, range)
  }
}

/// The sum of int16 operands whose scales are powers of two: the finer input is shifted to the
/// output's scale, the other already has it.
package struct PowerOfTwoAddition: BinaryArithmetic {
  package let leftShift: Int32
  package let rightShift: Int32
  package let isSubtraction: Bool
  package let range: ActivationRange<Int32>

  /// Nil unless every scale is a power of two.
  ///
  /// - Throws: `KernelError` unless one input has the output's scale and the other a finer one.
  init?(
    _ left: Affine, _ right: Affine, _ output: Affine, activation: FusedActivation,
    isSubtraction: Bool
  ) throws(KernelError) {
    let scales = [left.scale, right.scale, output.scale]
    guard scales.allSatisfy({ $0 > 0 && $0.isFinite && $0.significand == 1 }) else { return nil }
    let exponents = scales.map { Int32($0.exponent) }
    leftShift = exponents[2] - exponents[0]
    rightShift = exponents[2] - exponents[1]
    guard leftShift == 0 || rightShift == 0, leftShift >= 0, rightShift >= 0 else {
      throw .invalid("one input must have the output's scale and the other a finer one")
    }
    self.isSubtraction = isSubtraction
    range = try ActivationRange(activation, output: output, as: Int16.self)
  }

  @inline(__always)
  package func apply(_ left: Int16, _ right: Int16, _ steps: inout some Steps) -> Int16 {
    let a = steps.shift(Int32(left), by: leftShift)
    let b = steps.shift(Int32(right), by: rightShift)
    let sum = isSubtraction ? steps.difference(a, b) : steps.sum(a, b)
    let saturated = steps.clamp(Int32(Int16(clamping: sum)), range)
    return steps.store(saturated, Int16(clamping: saturated))
  }
}
