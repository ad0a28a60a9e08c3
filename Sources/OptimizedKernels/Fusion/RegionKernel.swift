// SPDX-License-Identifier: Apache-2.0

/// A kernel of one output that can tell which of its elements a block computes.
package protocol RegionKernel: BlockKernel {
  /// Calls `body` for the runs of neighboring output elements that make up a block.
  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void)
}

extension RegionKernel {
  package var region: (any RegionKernel)? { self }
}
