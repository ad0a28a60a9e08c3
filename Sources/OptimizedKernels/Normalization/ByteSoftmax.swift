// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `SOFTMAX` of 8-bit scores: the same quantized values as the reference kernel.
///
/// A score's exponential depends on its distance to the row's largest alone, of which there are
/// 256: a table has them all. In long rows so do the results, and in pairs, as pixels of two classes are.
final class ByteSoftmax: BlockKernel {
  /// From this length on a table of results pays.
  private static let longRow = 256
  /// From so many pairs on tables of their results pay.
  private static let manyPairs = 256
  /// The terms of shorter rows, of at most 1 each, have a sum with less than 13 integer bits.
  private static let mostBounded = 1 << 12
  /// Scores after which a run looks at its time.
  private static let uncheckedScores = 1 << 16
  /// How long a row takes, roughly, and each of its scores.
  private static let nanoseconds = (row: 12.0, score: 2.0)

  private let rowLength: Int
  private let rowCount: Int
  private let isSigned: Bool
  private let table: ByteExponentials
  /// By distance, the results of the larger and of the smaller of two scores; empty without pairs.
  private let pairs: [SIMD2<UInt8>]

  /// The rows of `loop`.
  init<Quantized: TensorElement & FixedWidthInteger>(
    _ loop: QuantizedSoftmaxLoop<Quantized, Quantized>, _ node: PrepareContext
  ) {
    rowLength = loop.rowLength
    rowCount = (node.optionalInput(0)?.shape.elementCount ?? 0) / max(loop.rowLength, 1)
    isSigned = Quantized.isSigned
    table = ByteExponentials(loop.scaling)
    let flip: UInt8 = Quantized.isSigned ? 0x80 : 0
    pairs =
      rowLength == 2 && rowCount >= Self.manyPairs
      ? (0..<256).map { [table] in Self.pair(distance: $0, table, flip: flip) } : []
  }

  func blockCount(workerCount: Int) -> Int {
    guard rowLength <= Self.mostBounded else { return 1 }
    let duration = Self.nanoseconds.row + Double(rowLength) * Self.nanoseconds.score
    return min(
      WorkShare.blockCount(nanoseconds: Double(rowCount) * duration, workerCount: workerCount),
      max(rowCount, 1))
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let step = max(Self.uncheckedScores / max(rowLength, 1), 1)
    for first in stride(from: 0, to: rowCount, by: step) {
      if first > 0 { try frame.checkProgress() }
      guard compute(first..<min(first + step, rowCount), frame) else {
        throw .unsupported("a row of \(rowLength) scores sums up beyond 13 bits", .input(0))
      }
    }
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let count = blockCount(workerCount: workerCount)
    while let block = next() { _ = compute(share(block, of: count, rowCount), frame) }
  }

  /// Computes some rows; false if the sum of one has too many bits.
  private func compute(_ rows: Range<Int>, _ frame: borrowing TensorFrame) -> Bool {
    let scores = frame.input(0, as: UInt8.self)
    var probabilities = frame.output(0, as: UInt8.self)
    guard rowLength > 0 else { return true }
    guard pairs.isEmpty else {
      writePairs(rows, scores, to: &probabilities)
      return true
    }
    // Quantized values become unsigned, which keeps their order.
    let flip: UInt8 = isSigned ? 0x80 : 0
    for start in rows.lazy.map({ $0 * self.rowLength }) {
      let row = scores.extracting(start..<start + rowLength)
      let (largest, sum) = table.sum(row, flip: flip)
      let (reciprocal, bits) = FixedPoint.reciprocal(sum)
      let shift = bits + 4
      guard shift >= 0 else { return false }
      if rowLength < Self.longRow {
        write(row, below: largest, reciprocal, shift, from: start, to: &probabilities)
      } else {
        let quantizedValues = (0...Int(largest)).map { flip ^ quantized($0, reciprocal, shift) }
        for index in row.indices {
          probabilities[start + index] = quantizedValues[Int(largest &- (row[index] ^ flip))]
        }
      }
    }
    return true
  }

  /// Writes the probabilities of pairs.
  private func writePairs(
    _ rows: Range<Int>, _ scores: Span<UInt8>, to probabilities: inout MutableSpan<UInt8>
  ) {
    let flip: UInt8 = isSigned ? 0x80 : 0
    for start in rows.lazy.map({ 2 * $0 }) {
      let (first, second) = (scores[start] ^ flip, scores[start + 1] ^ flip)
      let isOrdered = first >= second
      let pair = pairs[Int(isOrdered ? first &- second : second &- first)]
      probabilities[start] = isOrdered ? pair.x : pair.y
      probabilities[start + 1] = isOrdered ? pair.y : pair.x
    }
  }

  /// The results of two scores that are so far apart.
  private static func pair(
    distance: Int, _ table: ByteExponentials, flip: UInt8
  ) -> SIMD2<UInt8> {
    let scores: [UInt8] = [255, UInt8(255 - distance)]
    let (reciprocal, bits) = FixedPoint.reciprocal(table.sum(scores.span, flip: 0).sum)
    func result(_ distance: Int) -> UInt8 {
      flip ^ quantized(table.exponentials[distance], reciprocal, bits + 4)
    }
    return SIMD2(result(0), result(distance))
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
