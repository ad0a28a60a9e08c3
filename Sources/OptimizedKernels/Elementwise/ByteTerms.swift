// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The 32-bit numbers of pairs of quantized values that a sum's or product's factor applies to, one
/// by one: for factors that no vector kernel has.
enum ByteTerms: Sendable {
  /// `left[a] + right[b]`.
  case tables(left: [Int32], right: [Int32])
  /// `(a − left) (b − right)`.
  case product(left: Int32, right: Int32, isSigned: Bool)

  /// The terms of a sum or difference.
  init<Element>(_ arithmetic: QuantizedAddition<Element>) {
    let quantizedValues = (0..<256).map { Int32(Element(truncatingIfNeeded: $0)) }
    self = .tables(
      left: quantizedValues.map { arithmetic.left.scaled($0) },
      right: quantizedValues.map { quantized in
        let term = arithmetic.right.scaled(quantized)
        return arithmetic.isSubtraction ? 0 &- term : term
      })
  }

  /// The products of a multiplication.
  init<Element>(_ arithmetic: QuantizedMultiplication<Element>) {
    self = .product(
      left: arithmetic.leftZeroPoint, right: arithmetic.rightZeroPoint,
      isSigned: Element.isSigned)
  }

  /// What no sum or difference exceeds in magnitude: terms grow or fall with their quantized values.
  static func bound<Element>(of arithmetic: QuantizedAddition<Element>) -> Int64 {
    [arithmetic.left, arithmetic.right].reduce(0) { sum, operand in
      let ends = [Element.min, .max].map { operand.scaled(Int32($0)).magnitude }
      return sum + Int64(max(ends[0], ends[1]))
    }
  }

  /// What no product exceeds in magnitude.
  static let productBound: Int64 = 255 * 255

  /// The number of a pair of quantized values.
  private func number(_ left: UInt8, _ right: UInt8) -> Int32 {
    switch self {
    case .tables(let leftTable, let rightTable):
      leftTable[Int(left)] &+ rightTable[Int(right)]
    case .product(let leftZero, let rightZero, isSigned: true):
      (Int32(Int8(bitPattern: left)) &- leftZero) &* (Int32(Int8(bitPattern: right)) &- rightZero)
    case .product(let leftZero, let rightZero, isSigned: false):
      (Int32(left) &- leftZero) &* (Int32(right) &- rightZero)
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
        for index in 0..<count {
          unsafe sums[index] = number(
            row.left.load(fromByteOffset: start + index, as: UInt8.self),
            row.right.load(fromByteOffset: start + index, as: UInt8.self))
        }
        unsafe kernels.scaleAll(scaling.finish(), sums: sums, count: count, to: quantizedValues)
        unsafe (row.output + start).copyMemory(from: quantizedValues, byteCount: count)
      }
    }
  }
}
