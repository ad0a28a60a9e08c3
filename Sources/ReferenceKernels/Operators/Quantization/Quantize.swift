// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let quantize = CatalogEntry(
    .quantize, chapter: .quantization,
    formula: """
      y = clamp(z_y + round(x / s_y))         from floats
      y = clamp(z_y + s_x / s_y (x − z_x))    from quantizedValues
      """,
    versions: .upTo(6),
    variants: """
      f32_to_u8 f32_to_i8 f32_to_i16 f32_to_i4 f32_to_u4 f32_to_i8_pc f32_to_u8_pc \
      f32_to_i16_pc i8_to_i8 i8_to_u8 u8_to_i8 u8_to_u8 i16_to_i8 i16_to_i16 i16_to_i32 \
      i32_to_i8 i32_to_i16 i8_to_i16 u8_to_i16 i8_q u8_q i16_q
      """,
    optimized: """
      f32_to_i8 f32_to_u8 i8_q i8_to_i8 i8_to_u8 u8_q u8_to_i8 u8_to_u8 i16_q i16_to_i16
      """,
    work: .eachOutput, reads: .everything
  ) { _ in Quantize() }
}

/// `QUANTIZE`: real numbers as quantized values, or quantized values in another quantization.
///
/// Floats are divided in float32 and halves rounded away from zero; the output may have
/// parameters per channel. The factor between quantized values is formed in double precision.
/// TFLite: `quantize.cc`, `reference/quantize.h`, `reference/requantize.h`.
struct Quantize: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    let declared = try node.declaredOutput()
    guard declared.quantization != nil else {
      throw .invalid("quantization parameters are missing", .output(0))
    }
    let output = declared.with(shape: input.shape)
    let kernel: any Kernel =
      if input.elementType == .float32 {
        try quantization(output)
      } else {
        try requantization(input, output, node.rounding)
      }
    return Prepared(output, kernel)
  }

  private func quantization(_ output: TensorType) throws(KernelError) -> any Kernel {
    let channels = try ChannelQuantization(output, .output(0))
    switch output.elementType {
    case .int8: return LoopKernel(QuantizeLoop<WholeElements<Int8>>(quantization: channels))
    case .uint8: return LoopKernel(QuantizeLoop<WholeElements<UInt8>>(quantization: channels))
    case .int16: return LoopKernel(QuantizeLoop<WholeElements<Int16>>(quantization: channels))
    case .int4: return LoopKernel(QuantizeLoop<Int4Elements>(quantization: channels))
    case .uint4: return LoopKernel(QuantizeLoop<UInt4Elements>(quantization: channels))
    case let other: throw .elementType(other, .output(0))
    }
  }

  private func requantization(
    _ input: TensorType, _ output: TensorType, _ rounding: Rounding
  ) throws(KernelError) -> any Kernel {
    func kernel<Input, Output>(
      _ from: Input.Type, _ to: Output.Type
    ) throws(KernelError) -> any Kernel
    where
      Input: TensorElement & FixedWidthInteger, Output: TensorElement & FixedWidthInteger
    {
      let (source, target) = (try input.affine(.input(0)), try output.affine(.output(0)))
      let factor = Double(source.scale) / Double(target.scale)
      return UnaryKernel(
        Requantization<Input, Output>(
          source, target, multiplier: FixedPointMultiplier(factor, rounding: rounding)))
    }
    switch (input.elementType, output.elementType) {
    case (.int8, .int8): return try kernel(Int8.self, Int8.self)
    case (.int8, .uint8): return try kernel(Int8.self, UInt8.self)
    case (.int8, .int16): return try kernel(Int8.self, Int16.self)
    case (.uint8, .int8): return try kernel(UInt8.self, Int8.self)
    case (.uint8, .uint8): return try kernel(UInt8.self, UInt8.self)
    case (.uint8, .int16): return try kernel(UInt8.self, Int16.self)
    case (.int16, .int8): return try kernel(Int16.self, Int8.self)
    case (.int16, .int16):
      try input.expectSymmetric(.input(0))
      try output.expectSymmetric(.output(0))
      return try kernel(Int16.self, Int16.self)
    case (.int16, .int32): return try kernel(Int16.self, Int32.self)
    case (.int32, .int8): return try kernel(Int32.self, Int8.self)
    case (.int32, .int16): return try kernel(Int32.self, Int16.self)
    case (.int8, _), (.uint8, _), (.int16, _), (.int32, _):
      throw .elementType(output.elementType, .output(0))
    case (.float32, _), (.float16, _), (.int64, _), (.string, _), (.bool, _), (.complex64, _),
      (.float64, _), (.complex128, _), (.uint64, _), (.resource, _), (.variant, _), (.uint32, _),
      (.uint16, _), (.int4, _), (.bfloat16, _), (.int2, _), (.uint4, _):
      throw .elementType(input.elementType, .input(0))
    }
  }
}

/// Floats as quantized values.
///
/// A quotient that is NaN or beyond int32 counts as −2³¹, and adding the zero point wraps, as it
/// does in TFLite on x86: +∞ gives the lowest quantized value, or the highest if the zero point is
/// negative.
package struct QuantizeLoop<Format: QuantizedFormat>: KernelLoop {
  package static var family: LoopFamily? { LoopFamily(.quantization, Format.Stored.elementType) }

  /// The output's quantization.
  package let quantization: ChannelQuantization

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Format.Stored.self)
    var steps = NoSteps()
    for start in stride(from: 0, to: input.count, by: quantization.runLength) {
      let affine = quantization.channel(at: start)
      for index in start..<start + quantization.runLength {
        Format.store(quantize(input[index], affine, &steps), index, to: &output)
      }
    }
  }

  /// The quantized value of one element.
  @inline(__always)
  package func quantize(
    _ value: Float, _ affine: Affine, _ steps: inout some Steps
  ) -> Int32 {
    let quotient = steps.quotient(value, affine.scale)
    let rounded = steps.note(
      "rounding", "round(\(quotient)), halves away from zero", Int32(roundingOrLeast: quotient))
    return steps.clamp(
      steps.addZeroPoint(rounded, affine.zeroPoint),
      ActivationRange(Format.lowest, Format.highest))
  }
}
