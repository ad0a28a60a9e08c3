// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Floats as 8-bit codes or such codes as floats, where one scale serves the whole tensor: the
/// same results as the reference kernel.
///
/// It multiplies a scale by a code in double precision and rounds to float32. The product of two
/// floats has 48 bits, so that this is the only rounding, which a product in float32 has too.
final class CodeConversion: BlockKernel {
  private let affine: Affine
  private let isSigned: Bool
  private let isToCodes: Bool
  private let elementCount: Int
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

  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(elementCount, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let (inputWidth, outputWidth) = isToCodes ? (4, 1) : (1, 4)
    let blocks = ElementBlocks(elementCount, workerCount: workerCount)
    while let block = next() {
      let range = blocks[block]
      let run = unsafe ByteConversion(
        input: input + range.lowerBound * inputWidth,
        output: output + range.lowerBound * outputWidth, count: range.count, scale: affine.scale,
        zeroPoint: affine.zeroPoint, isSigned: isSigned)
      if isToCodes {
        unsafe kernels.quantize(run)
      } else {
        unsafe kernels.dequantize(run)
      }
    }
  }
}
