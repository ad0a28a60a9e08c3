// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// MediaPipe's maxima of floats with their places in the windows, all channels of a pixel at a time:
/// the same results as the reference kernel.
final class ArgmaxPool: BlockKernel {
  private let range: ActivationRange<Float>
  private let lines: PoolLines
  private let windowWidth: Int
  private let kernels: FloatMicrokernels

  /// The maxima of `loop`.
  init(_ loop: ArgmaxPoolLoop, _ set: MicrokernelSet) {
    range = loop.range
    lines = PoolLines(loop.nest)
    windowWidth = loop.nest.geometry.columns.window
    kernels = set.float
  }

  func blockCount(workerCount: Int) -> Int { lines.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let (size, places) = unsafe (MemoryLayout<Float>.size, frame.outputAddress(1))
    unsafe lines.forEachRun(of: frame, elementSize: size, workerCount: workerCount, next) {
      windows, first in
      unsafe kernels.findMaxima(
        FloatArgmaxLine(
          line: FloatPoolLine(windows, lowest: range.lowest, highest: range.highest),
          places: places + first.output * size, firstPlace: first.firstTap, placeStep: windowWidth))
    }
  }
}
