// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Floats as 8-bit quantized values or such quantized values as floats, where one scale serves the
/// whole tensor: the same results as the reference kernel.
///
/// It multiplies a scale by a quantized value in double precision and rounds to float32. The
/// product of two floats has 48 bits, so that this is the only rounding, which a product in float32
/// has too.
final class QuantizedConversion: ElementKernel {
  private let affine: Affine
  private let isSigned: Bool
  private let isToQuantized: Bool
  let elementCount: Int
  var keepsSize: Bool { false }
  let kernels: ByteMicrokernels

  /// The quantized values of floats; nil where channels have scales of their own.
  convenience init?<Quantized: TensorElement & FixedWidthInteger>(
    _ loop: QuantizeLoop<WholeElements<Quantized>>, _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    self.init(loop.quantization, Quantized.self, isToQuantized: true, node, set)
  }

  /// The floats of quantized values; nil where channels have scales of their own.
  convenience init?<Quantized: TensorElement & FixedWidthInteger>(
    _ loop: DequantizeLoop<WholeElements<Quantized>>, _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    self.init(loop.quantization, Quantized.self, isToQuantized: false, node, set)
  }

  private init?<Quantized: FixedWidthInteger>(
    _ quantization: ChannelQuantization, _: Quantized.Type, isToQuantized: Bool,
    _ node: PrepareContext,
    _ set: MicrokernelSet
  ) {
    guard Quantized.bitWidth == 8, quantization.channels.count == 1,
      let input = node.optionalInput(0),
      (Int32(Quantized.min)...Int32(Quantized.max)).contains(quantization.channels[0].zeroPoint)
    else { return nil }
    affine = quantization.channels[0]
    isSigned = Quantized.isSigned
    self.isToQuantized = isToQuantized
    elementCount = input.shape.elementCount
    kernels = set.byte
  }

  /// The floats that each of the 256 bytes stands for; nil where floats become quantized values.
  var reals: [Float]? {
    guard !isToQuantized else { return nil }
    let bytes = (0...255).map { UInt8($0) }
    return converted(bytes, like: Float(0))
  }

  /// The quantized values of some floats, as bytes; nil where quantized values become floats.
  func quantizedValues(of reals: [Float]) -> [UInt8]? {
    isToQuantized ? converted(reals, like: UInt8(0)) : nil
  }

  private func converted<Operand, Result>(_ operands: [Operand], like zero: Result) -> [Result] {
    var results = Array(repeating: zero, count: operands.count)
    unsafe operands.withUnsafeBytes { operands in
      unsafe results.withUnsafeMutableBytes { results in
        guard let input = operands.baseAddress, let output = results.baseAddress else { return }
        unsafe compute(0..<results.count / MemoryLayout<Result>.stride, input, output)
      }
    }
    return results
  }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let (inputWidth, outputWidth) = isToQuantized ? (4, 1) : (1, 4)
    let run = unsafe ByteConversion(
      input: input + elements.lowerBound * inputWidth,
      output: output + elements.lowerBound * outputWidth, count: elements.count,
      scale: affine.scale, zeroPoint: affine.zeroPoint, isSigned: isSigned)
    if isToQuantized {
      unsafe kernels.quantize(run)
    } else {
      unsafe kernels.dequantize(run)
    }
  }
}
