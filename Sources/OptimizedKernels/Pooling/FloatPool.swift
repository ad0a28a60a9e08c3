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
        unsafe pool(input, window, output + window.output)
      }
    }
  }

  /// The channels of one window, a few at a time.
  @inline(__always)
  private func pool(
    _ input: UnsafePointer<Float>, _ window: PoolWindow, _ output: UnsafeMutablePointer<Float>
  ) {
    let depth = window.depth
    var channel = 0
    while channel &+ 8 <= depth {
      unsafe pool(input + channel, window, output + channel, PoolRun<8>.self)
      channel &+= 8
    }
    // The last run ends with the last channel: what both have is computed twice.
    while channel < depth, depth >= 4 {
      channel = min(channel, depth &- 4)
      unsafe pool(input + channel, window, output + channel, PoolRun<4>.self)
      channel &+= 4
    }
    while channel < depth {
      unsafe pool(input + channel, window, output + channel, PoolRun<1>.self)
      channel &+= 1
    }
  }

  /// A run of channels of one window.
  @inline(__always)
  private func pool<let width: Int>(
    _ input: UnsafePointer<Float>, _ window: PoolWindow, _ output: UnsafeMutablePointer<Float>,
    _: PoolRun<width>.Type
  ) {
    var results = InlineArray<width, Float>(
      repeating: isAverage ? 0 : -.greatestFiniteMagnitude)
    if isAverage {
      window.forEachPixel { start in
        for lane in 0..<width { unsafe results[lane] += input[start &+ lane] }
      }
      let count = Float(window.count)
      for lane in 0..<width { results[lane] /= count }
    } else {
      window.forEachPixel { start in
        for lane in 0..<width {
          let (largest, element) = unsafe (results[lane], input[start &+ lane])
          results[lane] = largest < element ? element : largest
        }
      }
    }
    let (lowest, highest) = (range.lowest, range.highest)
    for lane in 0..<width {
      let raised = results[lane] < lowest ? lowest : results[lane]
      unsafe output[lane] = highest < raised ? highest : raised
    }
  }
}
