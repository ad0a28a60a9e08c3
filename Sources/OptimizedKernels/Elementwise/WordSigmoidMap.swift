// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The logistic function and the hyperbolic tangent of 16-bit quantized values: the same as the
/// reference kernels'.
final class WordSigmoidMap: ElementKernel {
  private let table: SigmoidTable
  private let form: WordSigmoid.Form
  /// The entries of `WordSigmoid`.
  private let entries: [UInt32]
  private let kernels: WordMicrokernels
  let elementCount: Int

  /// The logistic function of `loop`.
  convenience init?(
    _ loop: UnaryLoop<Int16Logistic>, _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    let half: Int32 = 1 << 9
    self.init(
      loop.arithmetic.table, beyond: 0xFFFE,
      WordSigmoid.Form(
        fractionBits: 9, shift: 10, positive: half, negative: 1 << 25 + half - 1),
      node, set)
  }

  /// The hyperbolic tangent of `loop`.
  convenience init?(
    _ loop: UnaryLoop<Int16Tanh>, _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    let half: Int32 = 1 << 7
    self.init(
      loop.arithmetic.table, beyond: 0xFFFF,
      WordSigmoid.Form(
        fractionBits: 8, shift: 8, positive: half - 1 << 23, negative: 1 << 23 + half - 1),
      node, set)
  }

  /// The function of a table, whose value is `last` beyond its entries.
  private init?(
    _ table: SigmoidTable, beyond last: UInt32, _ form: WordSigmoid.Form, _ node: PrepareContext,
    _ set: MicrokernelSet
  ) {
    guard let input = node.optionalInput(0) else { return nil }
    self.table = table
    self.form = form
    elementCount = input.shape.elementCount
    kernels = set.word
    let values = SigmoidTable.values
    entries = zip(values, values.dropFirst()).map { UInt32($0) | UInt32($1 - $0) << 16 } + [last]
  }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let first = elements.lowerBound * 2
    unsafe entries.withUnsafeBufferPointer { entries in
      guard let entries = entries.baseAddress else { return }
      unsafe kernels.apply(
        WordSigmoid(
          entries: entries, multiplier: table.multiplier, shift: table.shift, form: form),
        PlainRun(input: input + first, output: output + first, count: elements.count))
    }
  }
}
