// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Sums, differences and products of 16-bit quantized values whose zero points are 0: the same
/// quantized values as the reference kernel.
final class WordBinary: RowKernel {
  private let operation: ScaledWords
  private let kernels: WordMicrokernels
  let runs: BroadcastRuns

  /// The sum or difference of `loop`; nil where no vector kernel has its factors.
  init?(_ loop: BinaryLoop<QuantizedAddition<Int16>>, _ set: MicrokernelSet) {
    let arithmetic = loop.arithmetic
    let (left, right) = (arithmetic.left, arithmetic.right)
    guard left.zeroPoint == 0, right.zeroPoint == 0, arithmetic.outputZeroPoint == 0,
      left.shift == right.shift, let first = WordFactor(left.multiplier),
      let second = WordFactor(right.multiplier), let factor = WordFactor(arithmetic.output)
    else { return nil }
    let terms = WordSumTerms(
      left: first, right: second, shift: left.shift, isDifference: arithmetic.isSubtraction)
    operation = .sum(terms, factor, WordLimits(arithmetic.range))
    kernels = set.word
    runs = BroadcastRuns(loop.broadcast)
  }

  /// The product of `loop`; nil where no vector kernel has its factor.
  init?(_ loop: BinaryLoop<QuantizedMultiplication<Int16>>, _ set: MicrokernelSet) {
    let arithmetic = loop.arithmetic
    guard arithmetic.leftZeroPoint == 0, arithmetic.rightZeroPoint == 0,
      arithmetic.outputZeroPoint == 0, let factor = WordFactor(arithmetic.multiplier)
    else { return nil }
    operation = .product(factor, WordLimits(arithmetic.range))
    kernels = set.word
    runs = BroadcastRuns(loop.broadcast)
  }

  var elementSize: Int { 2 }

  func compute(_ row: PlainRow) {
    unsafe kernels.compute(
      operation,
      row)
  }
}

/// 16-bit quantized values, whose zero points are 0, in another scale: the same as the reference
/// kernel's.
final class WordRescale: ElementKernel {
  private let operation: ScaledWords
  private let kernels: WordMicrokernels
  let elementCount: Int

  /// The rectifier of `loop`; nil where no vector kernel has its factors.
  convenience init?(
    _ loop: UnaryLoop<QuantizedLeakyRelu<Int16>>, _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    let arithmetic = loop.arithmetic
    guard arithmetic.inputZeroPoint == 0, arithmetic.outputZeroPoint == 0 else { return nil }
    self.init(
      above: arithmetic.positive, below: arithmetic.negative, negates: arithmetic.negates,
      ActivationRange(Int32(Int16.min), Int32(Int16.max)), node, set)
  }

  /// The scale of `loop`; nil where no vector kernel has its factor.
  convenience init?(
    _ loop: UnaryLoop<Requantization<Int16, Int16>>, _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    let arithmetic = loop.arithmetic
    guard arithmetic.inputZeroPoint == 0, arithmetic.outputZeroPoint == 0 else { return nil }
    self.init(
      above: arithmetic.multiplier, below: arithmetic.multiplier, negates: false,
      arithmetic.range, node, set)
  }

  private init?(
    above: FixedPointMultiplier, below: FixedPointMultiplier, negates: Bool,
    _ range: ActivationRange<Int32>, _ node: PrepareContext, _ set: MicrokernelSet
  ) {
    guard let above = WordFactor(above), let below = WordFactor(below),
      let input = node.optionalInput(0)
    else { return nil }
    operation = .slopes(
      WordSlopes(above: above, below: below, negates: negates), WordLimits(range))
    kernels = set.word
    elementCount = input.shape.elementCount
  }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let first = elements.lowerBound * 2
    unsafe kernels.compute(
      operation,
      PlainRow(
        left: input + first, right: input + first, output: output + first,
        count: elements.count))
  }
}

extension WordLimits {
  /// The interval of a reference kernel.
  fileprivate init(_ range: ActivationRange<Int32>) {
    self.init(lowest: range.lowest, highest: range.highest)
  }
}
