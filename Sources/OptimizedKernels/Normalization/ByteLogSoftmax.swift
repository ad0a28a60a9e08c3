// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `LOG_SOFTMAX` of 8-bit scores: the same quantized values as the reference kernel.
///
/// Of the distances of scores from the largest of their row there are 256: tables have their
/// exponentials, and what they are in the format of logarithms.
final class ByteLogSoftmax: Kernel {
  private let rowLength: Int
  private let isSigned: Bool
  private let table: ByteExponentials
  /// For each distance, the scaled difference.
  private let differences: [Int32]
  /// Distances from here on are beyond the format.
  private let lowest: Int32
  private let inverse: FixedPointMultiplier

  /// The rows of `loop`.
  init<Quantized: TensorElement & FixedWidthInteger>(_ loop: QuantizedLogSoftmaxLoop<Quantized>) {
    rowLength = loop.rowLength
    isSigned = Quantized.isSigned
    table = ByteExponentials(loop.scaling)
    let multiplier = loop.scaling.multiplier
    differences = (0..<256).map { multiplier.scale(0 - Int32($0)) }
    lowest = loop.scaling.lowest
    inverse = loop.inverse
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let scores = frame.input(0, as: UInt8.self)
    var logarithms = frame.output(0, as: UInt8.self)
    guard rowLength > 0 else { return }
    let flip: UInt8 = isSigned ? 0x80 : 0
    for start in stride(from: 0, to: scores.count, by: rowLength) {
      let row = scores.extracting(start..<start + rowLength)
      let (largest, sum) = table.sum(row, flip: flip)
      let logarithm = FixedPoint.logarithm(ofAtLeastOne: sum)
      let limit = max(lowest - 1, inverse.scale(logarithm &+ Int32.min))
      for index in row.indices {
        let distance = Int32(largest &- (row[index] ^ flip))
        guard 0 - distance > limit else {
          logarithms[start + index] = flip
          continue
        }
        let scaled = differences[Int(distance)] &- logarithm
        let value = FixedPointMultiplier.roundingShift(scaled, by: 22)
        logarithms[start + index] = UInt8(clamping: value &+ 255) ^ flip
      }
    }
  }
}
