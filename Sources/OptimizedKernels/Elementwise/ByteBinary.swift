// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Sums, differences, products and squared differences of 8-bit quantized values: the same quantized
/// values as the reference kernel.
final class ByteBinary: RowKernel {
  /// How quantized values follow from pairs of quantized values.
  private enum Form {
    /// By vectors of terms; the operands are swapped where the second has the larger scale.
    case sum(ByteSumTerms, isSwapped: Bool)
    /// By vectors of products.
    case product
    /// Number by number.
    case exact(ByteTerms)
  }

  /// Elements from which on an estimate is worth being made.
  private static let leastEstimated = 2048

  private let form: Form
  /// What tells most sums' quantized values without their exact terms.
  private let estimate: ByteSumEstimate?
  private let operands: ByteOperands
  let runs: BroadcastRuns
  private let scaling: ByteScaling
  private let kernels: ByteMicrokernels

  /// The sum or difference of `loop`; nil where no fast kernel follows its format.
  init?<Element: TensorElement & FixedWidthInteger>(
    _ loop: BinaryLoop<QuantizedAddition<Element>>, _ set: MicrokernelSet
  ) {
    let arithmetic = loop.arithmetic
    let quantizedValues = Int32(Element.min)...Int32(Element.max)
    let (left, right) = (arithmetic.left, arithmetic.right)
    guard quantizedValues.contains(left.zeroPoint), quantizedValues.contains(right.zeroPoint),
      let format = ByteFormat(
        Element.self, Element.self, inputZeroPoint: arithmetic.outputZeroPoint, filterZeroPoint: 0,
        outputZeroPoint: arithmetic.outputZeroPoint, range: arithmetic.range,
        factors: .fixedPoint([arithmetic.output]))
    else { return nil }
    lazy var exact = ByteTerms(arithmetic)
    scaling = format.scaling(
      positions: ByteMicrokernels.scalePositions, sumBound: ByteTerms.bound(of: arithmetic))
    let isSwapped = !ByteSumTerms.isHalf(ByteFactor(left.multiplier))
    let (first, second) = isSwapped ? (right, left) : (left, right)
    if scaling.isFast, ByteSumTerms.isHalf(ByteFactor(first.multiplier)),
      let terms = ByteSumTerms(
        ByteFactor(second.multiplier), roundsTwice: second.multiplier.rounding == .double,
        combination: !arithmetic.isSubtraction
          ? .sum : isSwapped ? .reverseDifference : .difference)
    {
      form = .sum(terms, isSwapped: isSwapped)
    } else {
      form = .exact(exact)
    }
    runs = BroadcastRuns(loop.broadcast)
    estimate =
      runs.elementCount < Self.leastEstimated
      ? nil
      : exact.estimate(
        ByteFactor(arithmetic.output), zeroPoint: arithmetic.outputZeroPoint,
        isSigned: Element.isSigned)
    operands = ByteOperands(
      isSigned: Element.isSigned, leftZeroPoint: first.zeroPoint, rightZeroPoint: second.zeroPoint)
    kernels = set.byte
  }

  /// The product of `loop`; nil where no fast kernel follows its format.
  init?<Element: TensorElement & FixedWidthInteger>(
    _ loop: BinaryLoop<QuantizedMultiplication<Element>>, _ set: MicrokernelSet
  ) {
    let arithmetic = loop.arithmetic
    let quantizedValues = Int32(Element.min)...Int32(Element.max)
    guard quantizedValues.contains(arithmetic.leftZeroPoint),
      quantizedValues.contains(arithmetic.rightZeroPoint),
      let format = ByteFormat(
        Element.self, Element.self, inputZeroPoint: arithmetic.leftZeroPoint, filterZeroPoint: 0,
        outputZeroPoint: arithmetic.outputZeroPoint, range: arithmetic.range,
        factors: .fixedPoint([arithmetic.multiplier]))
    else { return nil }
    scaling = format.scaling(
      positions: ByteMicrokernels.scalePositions, sumBound: ByteTerms.productBound)
    form = scaling.isFast ? .product : .exact(ByteTerms(arithmetic))
    estimate = nil
    operands = ByteOperands(
      isSigned: Element.isSigned, leftZeroPoint: arithmetic.leftZeroPoint,
      rightZeroPoint: arithmetic.rightZeroPoint)
    runs = BroadcastRuns(loop.broadcast)
    kernels = set.byte
  }

  /// The squares of `loop`; nil where no fast kernel follows its format.
  init?(_ loop: BinaryLoop<QuantizedSquaredDifference>, _ set: MicrokernelSet) {
    let arithmetic = loop.arithmetic
    guard
      let format = ByteFormat(
        Int8.self, Int8.self, inputZeroPoint: arithmetic.outputZeroPoint, filterZeroPoint: 0,
        outputZeroPoint: arithmetic.outputZeroPoint,
        range: ActivationRange(Int32(Int8.min), Int32(Int8.max)),
        factors: .fixedPoint([arithmetic.output]))
    else { return nil }
    scaling = format.scaling(
      positions: ByteMicrokernels.scalePositions, sumBound: ByteTerms.bound(of: arithmetic))
    form = .exact(ByteTerms(arithmetic))
    estimate = nil
    operands = ByteOperands(
      isSigned: true, leftZeroPoint: arithmetic.left.zeroPoint,
      rightZeroPoint: arithmetic.right.zeroPoint)
    runs = BroadcastRuns(loop.broadcast)
    kernels = set.byte
  }

  var elementSize: Int { 1 }

  func compute(_ row: PlainRow) {
    guard let estimate else { return unsafe computeExactly(row) }
    unsafe kernels.add(row, operands, estimate, scaling.finish(), exactly: computeExactly)
  }

  private func computeExactly(_ row: PlainRow) {
    switch form {
    case .sum(let terms, isSwapped: false):
      unsafe kernels.add(row, operands, terms, scaling.finish())
    case .sum(let terms, isSwapped: true):
      let swapped = unsafe PlainRow(
        left: row.right, right: row.left, output: row.output, count: row.count)
      unsafe kernels.add(swapped, operands, terms, scaling.finish())
    case .product:
      unsafe kernels.multiply(row, operands, scaling.finish())
    case .exact(let terms):
      unsafe terms.compute(row, scaling, kernels)
    }
  }
}

extension ByteTerms {
  /// The estimate of a sum's quantized values; nil where there is none.
  fileprivate func estimate(
    _ factor: ByteFactor, zeroPoint: Int32, isSigned: Bool
  ) -> ByteSumEstimate? {
    guard case .tables(let left, let right) = self else { return nil }
    // Tables begin with the quantized value of the byte 0, which is the least or the middle one.
    func fromLeast(_ terms: [Int32]) -> [Int32] {
      isSigned ? Array(terms[128...] + terms[..<128]) : terms
    }
    return ByteSumEstimate(
      left: fromLeast(left), right: fromLeast(right), factor: factor,
      zeroPoint: isSigned ? zeroPoint : zeroPoint - 128)
  }
}

extension ByteFactor {
  /// The factor of a reference kernel.
  fileprivate init(_ factor: FixedPointMultiplier) {
    self.init(significand: factor.significand, exponent: factor.exponent)
  }
}
