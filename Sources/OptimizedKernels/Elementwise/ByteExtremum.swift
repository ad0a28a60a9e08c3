// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The greater or lesser of two 8-bit quantized values each.
final class ByteExtremum: RowKernel {
  private let isMaximum: Bool
  private let isSigned: Bool
  let runs: BroadcastRuns

  /// The greater or lesser quantized values of operands that are broadcast to each other.
  init(_ broadcast: Broadcast, isMaximum: Bool, isSigned: Bool) {
    self.isMaximum = isMaximum
    self.isSigned = isSigned
    runs = BroadcastRuns(broadcast)
  }

  var elementSize: Int { 1 }

  func compute(_ row: OperandRow) {
    switch (isMaximum, isSigned) {
    case (true, true): unsafe combine(row, Int8.self) { max($0, $1) }
    case (true, false): unsafe combine(row, UInt8.self) { max($0, $1) }
    case (false, true): unsafe combine(row, Int8.self) { min($0, $1) }
    case (false, false): unsafe combine(row, UInt8.self) { min($0, $1) }
    }
  }
}

/// One quantized value for each pair of a row; a loop that becomes vectors.
@inline(__always)
private func combine<Quantized: BitwiseCopyable>(
  _ row: OperandRow, _: Quantized.Type, _ choose: (Quantized, Quantized) -> Quantized
) {
  let left = unsafe row.left.assumingMemoryBound(to: Quantized.self)
  let right = unsafe row.right.assumingMemoryBound(to: Quantized.self)
  let output = unsafe row.output.assumingMemoryBound(to: Quantized.self)
  for index in unsafe 0..<row.count {
    unsafe output[index] = choose(left[index], right[index])
  }
}
