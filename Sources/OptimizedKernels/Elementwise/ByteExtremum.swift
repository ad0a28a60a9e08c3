// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The greater or lesser of two 8-bit codes each.
final class ByteExtremum: RowKernel {
  private let isMaximum: Bool
  private let isSigned: Bool
  let runs: BroadcastRuns

  /// The greater or lesser codes of operands that are broadcast to each other.
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

/// One code for each pair of a row; a loop that becomes vectors.
@inline(__always)
private func combine<Code: BitwiseCopyable>(
  _ row: OperandRow, _: Code.Type, _ choose: (Code, Code) -> Code
) {
  let left = unsafe row.left.assumingMemoryBound(to: Code.self)
  let right = unsafe row.right.assumingMemoryBound(to: Code.self)
  let output = unsafe row.output.assumingMemoryBound(to: Code.self)
  for index in unsafe 0..<row.count {
    unsafe output[index] = choose(left[index], right[index])
  }
}
