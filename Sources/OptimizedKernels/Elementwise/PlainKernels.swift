// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Operations on two elements whose results have their size: the same as the reference kernel's.
final class PlainRows: RowKernel {
  private let operation: PlainOperation
  private let kernels: MicrokernelSet
  let runs: BroadcastRuns

  /// `operation` on the operands of `broadcast`.
  init(_ operation: PlainOperation, _ broadcast: Broadcast, _ set: MicrokernelSet) {
    self.operation = operation
    kernels = set
    runs = BroadcastRuns(broadcast)
  }

  /// The sum or difference of `loop`; nil where something limits it.
  convenience init?(_ loop: BinaryLoop<WrappingAddition<Int32>>, _ set: MicrokernelSet) {
    guard loop.arithmetic.range.isWhole else { return nil }
    self.init(
      loop.arithmetic.isSubtraction ? .wordDifference : .wordSum, loop.broadcast, set)
  }

  /// The product of `loop`; nil where something limits it.
  convenience init?(_ loop: BinaryLoop<WrappingMultiplication<Int32>>, _ set: MicrokernelSet) {
    guard loop.arithmetic.range.isWhole else { return nil }
    self.init(.wordProduct, loop.broadcast, set)
  }

  var elementSize: Int { operation.operandSize }

  func compute(_ row: PlainRow) {
    unsafe kernels.compute(
      operation,
      row)
  }
}

extension ActivationRange where Value == Int32 {
  /// Whether it has every number.
  fileprivate var isWhole: Bool { lowest == .min && highest == .max }
}

/// Comparisons, whose results are bytes: the same as the reference kernel's.
final class ComparedRows: BlockKernel {
  private let operation: PlainOperation
  /// Whether the operands change places.
  private let isSwapped: Bool
  private let kernels: MicrokernelSet
  private let runs: BroadcastRuns

  /// The comparisons of `loop`.
  convenience init(_ loop: BinaryLoop<PlainComparison<Float>>, _ set: MicrokernelSet) {
    self.init(
      loop.arithmetic.relation, loop.broadcast, less: .floatIsLess,
      lessOrEqual: .floatIsLessOrEqual, equal: .floatIsEqual, different: .floatIsDifferent, set)
  }

  /// The comparisons of `loop`.
  convenience init(_ loop: BinaryLoop<PlainComparison<Int32>>, _ set: MicrokernelSet) {
    self.init(
      loop.arithmetic.relation, loop.broadcast, less: .wordIsLess, lessOrEqual: .wordIsLessOrEqual,
      equal: .wordIsEqual, different: .wordIsDifferent, set)
  }

  private init(
    _ relation: OrderRelation, _ broadcast: Broadcast, less: PlainOperation,
    lessOrEqual: PlainOperation, equal: PlainOperation, different: PlainOperation,
    _ set: MicrokernelSet
  ) {
    switch relation {
    case .less, .greater: operation = less
    case .lessOrEqual, .greaterOrEqual: operation = lessOrEqual
    case .equal: operation = equal
    default: operation = different
    }
    isSwapped = relation == .greater || relation == .greaterOrEqual
    kernels = set
    runs = BroadcastRuns(broadcast)
  }

  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(runs.elementCount, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    unsafe runs.forEachRow(
      of: frame, size: operation.operandSize, resultSize: operation.resultSize,
      workerCount: workerCount, next
    ) { row in
      unsafe kernels.compute(
        operation,
        PlainRow(
          left: isSwapped ? row.right : row.left, right: isSwapped ? row.left : row.right,
          output: row.output, count: row.count))
    }
  }
}

/// Operations on one element: the same results as the reference kernel's.
final class PlainElements: ElementKernel {
  private let operation: PlainOperation
  private let kernels: MicrokernelSet
  let elementCount: Int

  /// `operation` for the elements of the node's input; nil where there is no operation.
  init?(_ operation: PlainOperation?, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard let operation, let input = node.optionalInput(0) else { return nil }
    self.operation = operation
    kernels = set
    elementCount = input.shape.elementCount
  }

  var keepsSize: Bool { operation.operandSize == operation.resultSize }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let input = unsafe input + elements.lowerBound * operation.operandSize
    unsafe kernels.compute(
      operation,
      PlainRow(
        left: input, right: input, output: output + elements.lowerBound * operation.resultSize,
        count: elements.count))
  }
}
