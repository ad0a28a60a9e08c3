// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A depthwise convolution of which threads compute blocks of rows.
protocol DepthwiseKernel: RegionKernel {
  var windows: DepthwiseWindows { get }
  /// The input, with channels repeated where there are several outputs of each.
  var channels: RepeatedChannels { get }
  /// Channels of the output.
  var channelCount: Int { get }
}

extension DepthwiseKernel {
  /// Bytes of the scratch tensors.
  var scratch: [Int] { channels.scratch }

  package func begin(_ frame: borrowing TensorFrame) { channels.write(frame) }

  package func blockCount(workerCount: Int) -> Int {
    windows.blocks(workerCount: workerCount).count
  }

  package func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    let lines = windows.blocks(workerCount: workerCount).lines(block)
    let length = windows.columnCount * channelCount
    body(lines.lowerBound * length..<lines.upperBound * length)
  }
}
