// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Comparisons of 8-bit quantized values: the same results as the reference kernel's.
///
/// For each value of the first operand a relation, or its opposite, holds for neighboring values of
/// the second: tables have the least and the greatest of them.
final class ByteComparison: BlockKernel {
  /// Elements that are compared at once.
  private static let step = 1024

  /// For each byte of the first operand, the least of the second, in order.
  private let least: [UInt8]
  /// For each byte of the first operand, the greatest of the second, in order.
  private let greatest: [UInt8]
  /// What makes bytes of the second operand numbers in order.
  private let order: [UInt8]
  /// Whether the relation is the opposite of what tables tell.
  private let isOpposite: Bool
  private let isSigned: Bool
  private let kernels: MicrokernelSet
  private let runs: BroadcastRuns

  /// The comparisons of `loop`; nil where greater quantized values are not greater numbers.
  init?<Element: TensorElement & FixedWidthInteger>(
    _ loop: BinaryLoop<QuantizedComparison<Element>>, _ set: MicrokernelSet
  ) {
    let relation = loop.arithmetic.relation
    var steps = NoSteps()
    func numbers(_ operand: ScaledOperand) -> [Int32] {
      (Int32(Element.min)...Int32(Element.max)).map { operand.scaledDown($0, "", &steps) }
    }
    let right = numbers(loop.arithmetic.right)
    guard zip(right, right.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
    let base: UInt8 = Element.isSigned ? 0x80 : 0
    // An empty interval, unless something follows.
    var (least, greatest) = ([UInt8](repeating: 255, count: 256), [UInt8](repeating: 0, count: 256))
    for (index, number) in numbers(loop.arithmetic.left).enumerated() {
      let held = relation.interval(of: number, in: right)
      guard !held.isEmpty else { continue }
      let byte = Int(UInt8(index) ^ base)
      (least[byte], greatest[byte]) = (UInt8(held.lowerBound), UInt8(held.upperBound - 1))
    }
    (self.least, self.greatest) = (least, greatest)
    order = (0..<256).map { UInt8($0) ^ base }
    isOpposite = relation == .notEqual
    isSigned = Element.isSigned
    kernels = set
    runs = BroadcastRuns(loop.broadcast)
  }

  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(runs.elementCount, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    unsafe ScratchMemory.use(3 * Self.step) { buffer in
      unsafe runs.forEachRow(
        of: frame, size: 1, resultSize: 1, workerCount: workerCount, next
      ) { row in
        for start in unsafe stride(from: 0, to: row.count, by: Self.step) {
          unsafe compare(
            row.left + start, row.right + start, to: row.output + start,
            count: min(Self.step, row.count - start), buffer)
        }
      }
    }
  }

  private func compare(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, to output: UnsafeMutableRawPointer,
    count: Int, _ buffer: UnsafeMutableRawPointer
  ) {
    let (lower, upper) = unsafe (buffer, buffer + Self.step)
    unsafe lookUp(least, left, to: lower, count: count)
    unsafe lookUp(greatest, left, to: upper, count: count)
    var numbers = unsafe right
    if isSigned {
      unsafe lookUp(order, right, to: buffer + 2 * Self.step, count: count)
      unsafe numbers = UnsafeRawPointer(buffer + 2 * Self.step)
    }
    unsafe combine(.byteIsLessOrEqual, lower, numbers, to: lower, count: count)
    unsafe combine(.byteIsLessOrEqual, numbers, upper, to: upper, count: count)
    unsafe combine(.conjunction, lower, upper, to: output, count: count)
    if isOpposite { unsafe combine(.opposite, output, output, to: output, count: count) }
  }

  private func lookUp(
    _ table: [UInt8], _ bytes: UnsafeRawPointer, to output: UnsafeMutableRawPointer, count: Int
  ) {
    unsafe table.withUnsafeBytes { table in
      guard let table = table.baseAddress else { return }
      unsafe kernels.byte.lookUp(
        ByteLookup(table: table, input: bytes, output: output, count: count))
    }
  }

  private func combine(
    _ operation: PlainOperation, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer,
    to output: UnsafeMutableRawPointer, count: Int
  ) {
    unsafe kernels.compute(
      operation, PlainRow(left: left, right: right, output: output, count: count))
  }
}

extension OrderRelation {
  /// The indices of the numbers in `ascending` to which `number` has the relation, or, in place of
  /// being different, is equal.
  fileprivate func interval(of number: Int32, in ascending: [Int32]) -> Range<Int> {
    let first = ascending.partitioningIndex { $0 >= number }
    let end = ascending.partitioningIndex { $0 > number }
    return switch self {
    case .less: end..<ascending.count
    case .lessOrEqual: first..<ascending.count
    case .greater: 0..<first
    case .greaterOrEqual: 0..<end
    default: first..<end
    }
  }
}

extension [Int32] {
  /// The first index from which on `predicate` holds; it holds for none or for all that follow.
  fileprivate func partitioningIndex(where predicate: (Int32) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
