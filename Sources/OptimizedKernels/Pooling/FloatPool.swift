// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Averages and maxima of floats, all channels of a pixel at a time: the same results as the
/// reference kernel, whose order of operations it keeps within each channel.
final class FloatPool: BlockKernel {
  private let isAverage: Bool
  private let range: ActivationRange<Float>
  private let lines: PoolLines

  /// The averages of `loop`.
  init(_ loop: Pool2DLoop<FloatAverage>) {
    isAverage = true
    range = loop.arithmetic.range
    lines = PoolLines(loop.nest)
  }

  /// The maxima of `loop`.
  init(_ loop: Pool2DLoop<FloatMaximum>) {
    isAverage = false
    range = loop.arithmetic.range
    lines = PoolLines(loop.nest)
  }

  func blockCount(workerCount: Int) -> Int { lines.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blocks = lines.blocks(workerCount: workerCount)
    while let block = next() {
      lines.forEachWindow(in: blocks.lines(block)) { window in
        let target = unsafe output + window.output
        if isAverage {
          unsafe average(input, window, target)
        } else {
          unsafe maximum(input, window, target)
        }
        unsafe clamp(target)
      }
    }
  }

  private func average(
    _ input: UnsafePointer<Float>, _ window: PoolWindow, _ output: UnsafeMutablePointer<Float>
  ) {
    for channel in 0..<lines.depth { unsafe output[channel] = 0 }
    window.forEachPixel { start in
      let pixel = unsafe input + start
      for channel in 0..<lines.depth { unsafe output[channel] += pixel[channel] }
    }
    let count = Float(window.count)
    for channel in 0..<lines.depth { unsafe output[channel] /= count }
  }

  private func maximum(
    _ input: UnsafePointer<Float>, _ window: PoolWindow, _ output: UnsafeMutablePointer<Float>
  ) {
    for channel in 0..<lines.depth { unsafe output[channel] = -.greatestFiniteMagnitude }
    window.forEachPixel { start in
      let pixel = unsafe input + start
      for channel in 0..<lines.depth {
        let (largest, element) = unsafe (output[channel], pixel[channel])
        unsafe output[channel] = largest < element ? element : largest
      }
    }
  }

  private func clamp(_ output: UnsafeMutablePointer<Float>) {
    let (lowest, highest) = (range.lowest, range.highest)
    for channel in 0..<lines.depth {
      let value = unsafe output[channel]
      let raised = value < lowest ? lowest : value
      unsafe output[channel] = highest < raised ? highest : raised
    }
  }
}
