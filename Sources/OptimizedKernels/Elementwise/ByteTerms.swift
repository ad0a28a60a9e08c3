// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The 32-bit numbers of pairs of quantized values that the factor of a sum, a product or a squared
/// difference applies to, one by one: for those that no vector kernel has.
enum ByteTerms: Sendable {
  /// `left[a] + right[b]`.
  case tables(left: [Int32], right: [Int32])
  /// `(left[a] + right[b])²`.
  case squares(left: [Int32], right: [Int32])
  /// `(a − left) (b − right)`.
  case product(left: Int32, right: Int32, isSigned: Bool)

  /// The terms of a sum or difference.
  init<Element>(_ arithmetic: QuantizedAddition<Element>) {
    self = .tables(
      left: Self.terms(arithmetic.left, of: Element.self, areNegated: false),
      right: Self.terms(arithmetic.right, of: Element.self, areNegated: arithmetic.isSubtraction))
  }

  /// The squares of differences.
  init(_ arithmetic: QuantizedSquaredDifference) {
    self = .squares(
      left: Self.terms(arithmetic.left, of: Int8.self, areNegated: false),
      right: Self.terms(arithmetic.right, of: Int8.self, areNegated: true))
  }

  /// What an operand adds, by its bits as an unsigned number.
  private static func terms<Element: FixedWidthInteger>(
    _ operand: ScaledOperand, of type: Element.Type, areNegated: Bool
  ) -> [Int32] {
    (0..<256).map { bits in
      let term = operand.scaled(Int32(Element(truncatingIfNeeded: bits)))
      return areNegated ? 0 &- term : term
    }
  }

  /// The products of a multiplication.
  init<Element>(_ arithmetic: QuantizedMultiplication<Element>) {
    self = .product(
      left: arithmetic.leftZeroPoint, right: arithmetic.rightZeroPoint,
      isSigned: Element.isSigned)
  }

  /// What no sum or difference exceeds in magnitude: terms grow or fall with their quantized values.
  static func bound<Element>(of arithmetic: QuantizedAddition<Element>) -> Int64 {
    bound([arithmetic.left, arithmetic.right], of: Element.self)
  }

  /// What no square exceeds.
  static func bound(of arithmetic: QuantizedSquaredDifference) -> Int64 {
    let difference = bound([arithmetic.left, arithmetic.right], of: Int8.self)
    return difference * difference
  }

  private static func bound<Element: FixedWidthInteger>(
    _ operands: [ScaledOperand], of type: Element.Type
  ) -> Int64 {
    operands.reduce(0) { sum, operand in
      let ends = [Element.min, .max].map { operand.scaled(Int32($0)).magnitude }
      return sum + Int64(max(ends[0], ends[1]))
    }
  }

  /// What no product exceeds in magnitude.
  static let productBound: Int64 = 255 * 255

  /// Writes the numbers of the pairs of a row from `start` on.
  private func write(
    _ row: PlainRow, from start: Int, to sums: UnsafeMutablePointer<Int32>, count: Int
  ) {
    let left = unsafe (row.left + start).assumingMemoryBound(to: UInt8.self)
    let right = unsafe (row.right + start).assumingMemoryBound(to: UInt8.self)
    switch self {
    case .tables(let leftTable, let rightTable):
      for index in 0..<count {
        unsafe sums[index] = leftTable[Int(left[index])] &+ rightTable[Int(right[index])]
      }
    case .squares(let leftTable, let rightTable):
      for index in 0..<count {
        let term = unsafe leftTable[Int(left[index])] &+ rightTable[Int(right[index])]
        unsafe sums[index] = term &* term
      }
    case .product(let leftZero, let rightZero, isSigned: true):
      for index in 0..<count {
        let first = unsafe Int32(Int8(bitPattern: left[index])) &- leftZero
        unsafe sums[index] = first &* (Int32(Int8(bitPattern: right[index])) &- rightZero)
      }
    case .product(let leftZero, let rightZero, isSigned: false):
      for index in 0..<count {
        let first = unsafe Int32(left[index]) &- leftZero
        unsafe sums[index] = first &* (Int32(right[index]) &- rightZero)
      }
    }
  }

  /// Computes the quantized values of a row.
  func compute(_ row: PlainRow, _ scaling: ByteScaling, _ kernels: ByteMicrokernels) {
    let step = ByteMicrokernels.scaleStep
    unsafe ScratchMemory.use(step * 5) { buffer in
      let sums = unsafe buffer.assumingMemoryBound(to: Int32.self)
      let quantizedValues = unsafe buffer + step * 4
      for start in unsafe stride(from: 0, to: row.count, by: step) {
        let count = unsafe min(step, row.count - start)
        unsafe write(row, from: start, to: sums, count: count)
        unsafe kernels.scaleAll(scaling.finish(), sums: sums, count: count, to: quantizedValues)
        unsafe (row.output + start).copyMemory(from: quantizedValues, byteCount: count)
      }
    }
  }
}
