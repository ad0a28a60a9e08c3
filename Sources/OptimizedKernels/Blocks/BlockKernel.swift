// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels
package import Tensors

/// A kernel whose outputs fall into blocks that any worker may compute in any order.
///
/// Blocks cut outputs, never a sum, so results do not depend on how many workers share them.
package protocol BlockKernel: Kernel {
  /// Blocks that the work is cut into for so many workers.
  func blockCount(workerCount: Int) -> Int

  /// Does what must be done before any block, once per evaluation.
  func begin(_ frame: borrowing TensorFrame)

  /// Phases, one after the other, in which so many workers share what `begin` does; 0 where the
  /// caller does it alone.
  func phaseCount(workerCount: Int) -> Int

  /// Does one of `workerCount` parts of a phase; the parts of one may be done at the same time.
  func begin(_ frame: borrowing TensorFrame, phase: Int, part: Int, of workerCount: Int)

  /// Computes the blocks that `next` names, until it names none.
  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?)

  /// Does what must be done after all blocks, once per evaluation.
  func end(_ frame: borrowing TensorFrame)

  /// The inputs that the output may replace in memory: the kernel reads an element for the last
  /// time before it writes the output's element at the same position.
  var inPlaceInputs: [Int] { get }

  // What the kernel is besides, for rules that join kernels. Casts would tell as well, but the
  // runtime takes longer for the first of each type to a protocol than for preparing a node.

  /// The kernel, if it tells which elements a block computes.
  var region: (any RegionKernel)? { get }
  /// The kernel, if it makes one output element of each input element.
  var element: (any ElementKernel)? { get }
  /// The kernel, if it makes one output element of each pair of input elements.
  var row: (any RowKernel)? { get }
  /// What the kernel does to lines of images, one after the other; none if it works otherwise.
  var stages: [any LineStage] { get }
}

extension BlockKernel {
  package func begin(_ frame: borrowing TensorFrame) {}

  package func phaseCount(workerCount: Int) -> Int { 0 }

  package func begin(
    _ frame: borrowing TensorFrame, phase: Int, part: Int, of workerCount: Int
  ) {}

  package func end(_ frame: borrowing TensorFrame) {}

  package var inPlaceInputs: [Int] { [] }

  package var region: (any RegionKernel)? { nil }

  package var element: (any ElementKernel)? { nil }

  package var row: (any RowKernel)? { nil }

  package var stages: [any LineStage] { [] }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    try evaluateBlocks(frame)
  }

  /// Computes all blocks, one after the other.
  @inline(__always)
  func evaluateBlocks(_ frame: borrowing TensorFrame) throws(KernelError) {
    begin(frame)
    let count = blockCount(workerCount: 1)
    var block = 0
    compute(frame, workerCount: 1) {
      // The run looks before every node, so before the first block.
      guard block < count, block == 0 || frame.progress?.mustStop != true else { return nil }
      block += 1
      return block - 1
    }
    if count > 1 { try frame.checkProgress() }
    end(frame)
  }
}
