// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The greater or lesser of two 8-bit quantized values each.
final class ByteExtremum: RowKernel {
  private let isMaximum: Bool
  private let isSigned: Bool
  private let kernels: ByteMicrokernels
  let runs: BroadcastRuns

  /// The greater or lesser quantized values of operands that are broadcast to each other.
  init(_ broadcast: Broadcast, isMaximum: Bool, isSigned: Bool, _ set: MicrokernelSet) {
    self.isMaximum = isMaximum
    self.isSigned = isSigned
    kernels = set.byte
    runs = BroadcastRuns(broadcast)
  }

  var elementSize: Int { 1 }

  func compute(_ row: PlainRow) {
    unsafe kernels.choose(
      row,
      isMaximum: isMaximum, isSigned: isSigned)
  }
}
