// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let prelu = CatalogEntry(
    .prelu, chapter: .elementwise, formula: "y = x if x ≥ 0, else α x", versions: .upTo(1),
    variants: "f32 u8_q i8_q i16_q", optimized: "f32 i8_q u8_q",
    work: .eachOutput, reads: .everything
  ) { _ in Prelu() }
}

/// `PRELU`: negative elements scaled by slopes that are part of the model.
///
/// α is broadcast to the input, whose shape the result has. With int16 activations the slopes are
/// int8 quantized values; slopes declared as int16 are nevertheless read as bytes by TFLite, and so
/// here. TFLite: `activations.cc`, `reference/prelu.h`.
struct Prelu: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, slopes) = (try node.input(0), try node.input(1))
    let output = try node.declaredOutput()
    let broadcast = try Broadcast([input.shape, slopes.shape])
    guard broadcast.shape == input.shape else {
      throw .invalid("\(slopes.shape) slopes for an input of shape \(input.shape)", .input(1))
    }
    return Prepared(
      TensorType(input.elementType, input.shape, quantization: output.quantization),
      try kernel(input, slopes, output, broadcast, node.rounding))
  }

  private func kernel(
    _ input: TensorType, _ slopes: TensorType, _ output: TensorType, _ broadcast: Broadcast,
    _ rounding: Rounding
  ) throws(KernelError) -> any Kernel {
    func quantized<Element, Slope>(
      _ element: Element.Type, _ slope: Slope.Type
    ) throws(KernelError) -> any Kernel
    where
      Element: TensorElement & FixedWidthInteger, Slope: TensorElement & FixedWidthInteger
    {
      let arithmetic = QuantizedPrelu<Element, Slope>(
        try input.affine(.input(0)), slopes: try slopes.affine(.input(1)),
        try output.affine(.output(0)), rounding: rounding)
      return BinaryKernel(arithmetic, broadcast)
    }
    switch (input.elementType, slopes.elementType) {
    case (.float32, .float32): return BinaryKernel(FloatPrelu(), broadcast)
    case (.uint8, .uint8): return try quantized(UInt8.self, UInt8.self)
    case (.int8, .int8): return try quantized(Int8.self, Int8.self)
    case (.int16, .int8), (.int16, .int16): return try quantized(Int16.self, Int8.self)
    case (.float32, _), (.uint8, _), (.int8, _), (.int16, _):
      throw .elementType(slopes.elementType, .input(1))
    case (.float16, _), (.int32, _), (.int64, _), (.string, _), (.bool, _), (.complex64, _),
      (.float64, _), (.complex128, _), (.uint64, _), (.resource, _), (.variant, _), (.uint32, _),
      (.uint16, _), (.int4, _), (.bfloat16, _), (.int2, _), (.uint4, _):
      throw .elementType(input.elementType, .input(0))
    }
  }
}

/// A rectifier with slopes, of floats.
package struct FloatPrelu: BinaryArithmetic {
  @inline(__always)
  package func apply(_ value: Float, _ slope: Float, _ steps: inout some Steps) -> Float {
    guard value >= 0 else { return steps.product(value, slope) }
    return steps.note("result", "\(value) as it is, not being negative", value)
  }
}

/// A rectifier with slopes, of quantized values: one fixed-point factor for each sign.
///
///     y = clamp(z_y + m₊ (x − z_x)) or clamp(z_y + m₋ (x − z_x)(α − z_α))
///
/// The factors `s_x / s_y` and `s_x s_α / s_y` are formed in float32.
package struct QuantizedPrelu<Element, Slope>: BinaryArithmetic
where Element: TensorElement & FixedWidthInteger, Slope: TensorElement & FixedWidthInteger {
  package let inputZeroPoint: Int32
  package let slopeZeroPoint: Int32
  package let outputZeroPoint: Int32
  package let positive: FixedPointMultiplier
  package let negative: FixedPointMultiplier

  init(_ input: Affine, slopes: Affine, _ output: Affine, rounding: Rounding) {
    inputZeroPoint = input.zeroPoint
    slopeZeroPoint = slopes.zeroPoint
    outputZeroPoint = output.zeroPoint
    positive = FixedPointMultiplier(Double(input.scale / output.scale), rounding: rounding)
    negative = FixedPointMultiplier(
      Double(input.scale * slopes.scale / output.scale), rounding: rounding)
  }

  @inline(__always)
  package func apply(_ value: Element, _ slope: Slope, _ steps: inout some Steps) -> Element {
    let distance = steps.difference(Int32(value), inputZeroPoint, "distance")
    guard distance < 0 else {
      let scaled = steps.scale(distance, by: positive, "positive multiplier")
      return steps.store(scaled, zeroPoint: outputZeroPoint)
    }
    let product = steps.product(
      distance, steps.difference(Int32(slope), slopeZeroPoint, "slope"))
    let scaled = steps.scale(product, by: negative, "negative multiplier")
    return steps.store(scaled, zeroPoint: outputZeroPoint)
  }
}

extension QuantizedPrelu where Slope == Element {
  /// The products that negative elements become.
  package var products: QuantizedMultiplication<Element> {
    QuantizedMultiplication(
      leftZeroPoint: inputZeroPoint, rightZeroPoint: slopeZeroPoint,
      outputZeroPoint: outputZeroPoint, multiplier: negative,
      range: ActivationRange(Int32(Element.min), Int32(Element.max)))
  }
}
