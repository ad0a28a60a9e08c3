// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `SOFTMAX` of 8-bit scores: the same quantized values as the reference kernel.
///
/// A score's exponential depends on its distance to the row's largest alone, of which there are
/// 256: a table has them all. In long rows so do the results.
final class ByteSoftmax: Kernel {
  /// From this length on a table of results pays.
  private static let longRow = 256

  private let rowLength: Int
  private let isSigned: Bool
  /// For each distance the exponential, a number without integer bits.
  private let exponentials: [Int32]
  /// The same with 12 integer bits.
  private let terms: [Int32]

  /// The rows of `loop`.
  init<Quantized: TensorElement & FixedWidthInteger>(
    _ loop: QuantizedSoftmaxLoop<Quantized, Quantized>
  ) {
    rowLength = loop.rowLength
    isSigned = Quantized.isSigned
    let scaling = loop.scaling
    let exponentials = (0..<256).map { distance -> Int32 in
      let difference = 0 - Int32(distance)
      guard difference >= scaling.lowest else { return 0 }
      return FixedPoint.exponential(ofNegative: scaling.multiplier.scale(difference))
    }
    self.exponentials = exponentials
    terms = exponentials.map { FixedPointMultiplier.roundingShift($0, by: 12) }
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let scores = frame.input(0, as: UInt8.self)
    var probabilities = frame.output(0, as: UInt8.self)
    guard rowLength > 0 else { return }
    // Quantized values become unsigned, which keeps their order.
    let flip: UInt8 = isSigned ? 0x80 : 0
    for start in stride(from: 0, to: scores.count, by: rowLength) {
      let row = scores.extracting(start..<start + rowLength)
      var largest: UInt8 = 0
      for index in row.indices { largest = max(largest, row[index] ^ flip) }
      var sum: Int32 = 0
      for index in row.indices { sum &+= terms[Int(largest &- (row[index] ^ flip))] }
      let (reciprocal, bits) = FixedPoint.reciprocal(sum)
      let shift = bits + 4
      guard shift >= 0 else {
        throw .unsupported("a row of \(rowLength) scores sums up beyond 13 bits", .input(0))
      }
      if rowLength < Self.longRow {
        for index in row.indices {
          let distance = Int(largest &- (row[index] ^ flip))
          probabilities[start + index] = flip ^ quantized(distance, reciprocal, shift)
        }
      } else {
        let quantizedValues = (0...Int(largest)).map { flip ^ quantized($0, reciprocal, shift) }
        for index in row.indices {
          probabilities[start + index] = quantizedValues[Int(largest &- (row[index] ^ flip))]
        }
      }
    }
  }

  /// The unsigned quantized value of the probability of a score at some distance from the largest.
  private func quantized(_ distance: Int, _ reciprocal: Int32, _ shift: Int32) -> UInt8 {
    // Over so flat a row every probability rounds to 0.
    guard shift <= 31 else { return 0 }
    let weight = FixedPointMultiplier.doublingHighProduct(reciprocal, exponentials[distance])
    return UInt8(clamping: FixedPointMultiplier.roundingShift(weight, by: shift))
  }
}
