// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let dequantize = CatalogEntry(
    .dequantize, chapter: .quantization, formula: "y = s (x − z)", versions: .upTo(9),
    variants: "u8_q i8_q i16_q i4_q u4_q i2_q f16 i8_pc u8_pc i4_pc u4_pc i2_pc",
    optimized: "i8_q u8_q f16",
    work: .eachOutput, reads: .everything
  ) { _ in Dequantize() }
}

/// `DEQUANTIZE`: the real numbers that quantized values stand for, or float16 widened.
///
/// The product is formed in double precision where one scale serves the whole tensor, and in
/// float32 where scales are per channel. TFLite: `dequantize.cc`, `reference/dequantize.h`.
struct Dequantize: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    return Prepared(TensorType(.float32, input.shape), try Self.kernel(input))
  }

  /// The kernel that writes input 0, of this type, to output 0.
  static func kernel(_ input: TensorType) throws(KernelError) -> any Kernel {
    func kernel<Format>(_ format: Format.Type) throws(KernelError) -> any Kernel
    where Format: QuantizedFormat {
      LoopKernel(DequantizeLoop<Format>(quantization: try ChannelQuantization(input, .input(0))))
    }

    switch input.elementType {
    case .float16: return UnaryKernel(Widening())
    case .int8: return try kernel(WholeElements<Int8>.self)
    case .uint8: return try kernel(WholeElements<UInt8>.self)
    case .int16:
      try input.expectSymmetric(.input(0))
      return try kernel(WholeElements<Int16>.self)
    case .int4: return try kernel(Int4Elements.self)
    case .uint4: return try kernel(UInt4Elements.self)
    case .int2: return try kernel(Int2Elements.self)
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// A float16 as a float32.
package struct Widening: UnaryArithmetic {
  @inline(__always)
  package func apply(_ value: Float16, _ steps: inout some Steps) -> Float { Float(value) }
}

/// Quantized values as floats.
package struct DequantizeLoop<Format: QuantizedFormat>: KernelLoop {
  package static var family: LoopFamily? { LoopFamily(.quantization, Format.Stored.elementType) }

  /// The input's quantization.
  package let quantization: ChannelQuantization

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Format.Stored.self)
    var output = frame.output(0, as: Float.self)
    var steps = NoSteps()
    for start in stride(from: 0, to: output.count, by: quantization.runLength) {
      let affine = quantization.channel(at: start)
      for index in start..<start + quantization.runLength {
        output[index] = real(Format.load(index, from: input), affine, &steps)
      }
    }
  }

  /// The real number that a quantized value stands for.
  @inline(__always)
  package func real(_ value: Int32, _ affine: Affine, _ steps: inout some Steps) -> Float {
    let distance = steps.difference(value, affine.zeroPoint, "distance")
    guard quantization.channels.count == 1 else {
      return steps.product(affine.scale, Float(distance))
    }
    return steps.note(
      "product", "\(affine.scale) × \(distance.operand) in float64",
      Float(Double(affine.scale) * Double(distance)))
  }
}
