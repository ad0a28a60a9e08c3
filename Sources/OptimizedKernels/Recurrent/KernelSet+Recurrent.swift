// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

extension KernelSet {
  /// The set with stand-ins for recurrent cells.
  func replacingRecurrentCells(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(IntegerLSTM.self) {
        IntegerCells($0, $1, $2, set).map { StandIn($0, scratch: $0.scratch) }
      }
  }
}
