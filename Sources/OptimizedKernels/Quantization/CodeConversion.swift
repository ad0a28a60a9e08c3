// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Floats as 8-bit codes or such codes as floats, where one scale serves the whole tensor: the
/// same results as the reference kernel.
///
/// It multiplies a scale by a code in double precision and rounds to float32. The product of two
/// floats has 48 bits, so that this is the only rounding, which a product in float32 has too.
final class CodeConversion: ElementKernel {
  private let affine: Affine
  private let isSigned: Bool
  private let isToCodes: Bool
  let elementCount: Int
  var elementSize: Int? { nil }
  private let kernels: ByteMicrokernels

  /// The codes of floats; nil where channels have scales of their own.
  convenience init?<Code: TensorElement & FixedWidthInteger>(
    _ loop: QuantizeLoop<WholeCodes<Code>>, _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    self.init(loop.quantization, Code.self, isToCodes: true, node, set)
  }

  /// The floats of codes; nil where channels have scales of their own.
  convenience init?<Code: TensorElement & FixedWidthInteger>(
    _ loop: DequantizeLoop<WholeCodes<Code>>, _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    self.init(loop.quantization, Code.self, isToCodes: false, node, set)
  }

  private init?<Code: FixedWidthInteger>(
    _ quantization: ChannelQuantization, _: Code.Type, isToCodes: Bool, _ node: PrepareContext,
    _ set: MicrokernelSet
  ) {
    guard Code.bitWidth == 8, quantization.channels.count == 1, let input = node.optionalInput(0),
      (Int32(Code.min)...Int32(Code.max)).contains(quantization.channels[0].zeroPoint)
    else { return nil }
    affine = quantization.channels[0]
    isSigned = Code.isSigned
    self.isToCodes = isToCodes
    elementCount = input.shape.elementCount
    kernels = set.byte
  }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let (inputWidth, outputWidth) = isToCodes ? (4, 1) : (1, 4)
    let run = unsafe ByteConversion(
      input: input + elements.lowerBound * inputWidth,
      output: output + elements.lowerBound * outputWidth, count: elements.count,
      scale: affine.scale, zeroPoint: affine.zeroPoint, isSigned: isSigned)
    if isToCodes {
      unsafe kernels.quantize(run)
    } else {
      unsafe kernels.dequantize(run)
    }
  }
}
