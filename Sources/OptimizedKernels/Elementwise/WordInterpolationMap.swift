// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Functions of 16-bit quantized values by an interpolated table: the same as the reference kernel's.
final class WordInterpolationMap: ElementKernel {
  /// The entries of `WordInterpolation`.
  private let entries: [UInt32]
  private let kernels: WordMicrokernels
  let elementCount: Int

  /// The function of `loop`.
  init?(_ loop: UnaryLoop<InterpolatedTable>, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard let input = node.optionalInput(0) else { return nil }
    let values = loop.arithmetic.values
    entries = zip(values, values.dropFirst()).map { start, end in
      UInt32(UInt16(bitPattern: start)) | UInt32(UInt16(bitPattern: end &- start)) << 16
    }
    elementCount = input.shape.elementCount
    kernels = set.word
  }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let first = elements.lowerBound * 2
    unsafe entries.withUnsafeBufferPointer { entries in
      guard let entries = entries.baseAddress else { return }
      unsafe kernels.apply(
        WordInterpolation(entries),
        PlainRun(input: input + first, output: output + first, count: elements.count))
    }
  }
}
