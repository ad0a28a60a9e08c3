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
  private let table: ByteExponentials

  /// The rows of `loop`.
  init<Quantized: TensorElement & FixedWidthInteger>(
    _ loop: QuantizedSoftmaxLoop<Quantized, Quantized>
  ) {
    rowLength = loop.rowLength
    isSigned = Quantized.isSigned
    table = ByteExponentials(loop.scaling)
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let scores = frame.input(0, as: UInt8.self)
    var probabilities = frame.output(0, as: UInt8.self)
    guard rowLength > 0 else { return }
    // Quantized values become unsigned, which keeps their order.
    let flip: UInt8 = isSigned ? 0x80 : 0
    for start in stride(from: 0, to: scores.count, by: rowLength) {
      let row = scores.extracting(start..<start + rowLength)
      let (largest, sum) = table.sum(row, flip: flip)
      let (reciprocal, bits) = FixedPoint.reciprocal(sum)
      let shift = bits + 4
      guard shift >= 0 else {
        throw .unsupported("a row of \(rowLength) scores sums up beyond 13 bits", .input(0))
      }
      if rowLength < Self.longRow {
        write(row, below: largest, reciprocal, shift, from: start, to: &probabilities)
      } else {
        let quantizedValues = (0...Int(largest)).map { flip ^ quantized($0, reciprocal, shift) }
        for index in row.indices {
          probabilities[start + index] = quantizedValues[Int(largest &- (row[index] ^ flip))]
        }
      }
    }
  }

  /// Writes the probabilities of a row from `start` on.
  @inline(__always)
  private func write(
    _ row: Span<UInt8>, below largest: UInt8, _ reciprocal: Int32, _ shift: Int32,
    from start: Int, to probabilities: inout MutableSpan<UInt8>
  ) {
    let flip: UInt8 = isSigned ? 0x80 : 0
    for index in row.indices {
      let distance = Int(largest &- (row[index] ^ flip))
      probabilities[start + index] =
        flip ^ quantized(distance, reciprocal, shift)
    }
  }

  @inline(__always)
  private func quantized(_ distance: Int, _ reciprocal: Int32, _ shift: Int32) -> UInt8 {
    Self.quantized(table.exponentials[distance], reciprocal, shift)
  }

  /// The unsigned quantized value of the probability of a score with this exponential.
  ///
  /// Neither factor is negative, so halves are rounded up both times.
  @inline(__always)
  private static func quantized(
    _ exponential: Int32, _ reciprocal: Int32, _ shift: Int32
  ) -> UInt8 {
    // Over so flat a row every probability rounds to 0.
    guard shift <= 31 else { return 0 }
    let weight = (Int64(reciprocal) &* Int64(exponential) &+ 1 &<< 30) &>> 31
    let half: Int64 = (1 &<< Int64(shift)) &>> 1
    return UInt8(truncatingIfNeeded: min((weight &+ half) &>> Int64(shift), 255))
  }
}
