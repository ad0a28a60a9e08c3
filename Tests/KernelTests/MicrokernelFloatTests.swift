// SPDX-License-Identifier: Apache-2.0

import MicrokernelChecks
import Microkernels
import OptimizedKernels
import SeededRandom
import Testing

/// Float tiles against plain loops.
///
/// Operands are small integers, whose sums are exact in any
/// order, so results must be equal bit for bit.
@Suite struct MicrokernelFloatTests {
  @Test(
    arguments: MicrokernelSet.tested,
    [
      (1, 1), (5, 3), (12, 32), (13, 33), (30, 47), (7, 64), (25, 100), (3, 17), (29, 8), (13, 7),
      (1, 8), (11, 40),
    ])
  func `a product of any size equals the plain loop`(
    set: MicrokernelSet, size: (rows: Int, columns: Int)
  ) {
    for (taps, depth) in [(1, 1), (1, 37), (9, 3), (4, 16)] {
      for copies in [false, true] {
        let problem = FloatProblem(
          rows: size.rows, columns: size.columns, taps: taps, depth: depth, seed: depth)
        #expect(problem.result(set, copies: copies) == problem.expected())
      }
    }
  }

  @Test(arguments: MicrokernelSet.tested)
  func `results do not depend on how rows are cut`(set: MicrokernelSet) {
    var problem = FloatProblem(rows: 29, columns: 40, taps: 3, depth: 21, seed: 7)
    problem.makeFractional()
    let whole = problem.result(set, copies: false)
    for rows in 1...12 { #expect(problem.result(set, copies: false, rowsAtOnce: rows) == whole) }
    #expect(problem.result(set, copies: true) == whole)
  }

  @Test(arguments: MicrokernelSet.tested)
  func `NaN passes the limits, infinities do not`(set: MicrokernelSet) {
    var problem = FloatProblem(rows: 3, columns: 5, taps: 1, depth: 1, seed: 1)
    problem.left = [.nan, .infinity, -.infinity]
    problem.weights = [1, 1, 1, 1, 1]
    let result = problem.result(set, copies: false)
    #expect(result[0..<5].allSatisfy { $0.isNaN })
    #expect(result[5..<15] == [6, 6, 6, 6, 6, -3, -3, -3, -3, -3])
  }

  @Test(
    arguments: MicrokernelSet.tested,
    [1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 32, 40, 65])
  func `a depthwise run of any size equals the plain loop`(set: MicrokernelSet, channels: Int) {
    for (window, step) in [(3, 1), (3, 2), (5, 1), (1, 1), (2, 3)] {
      for outputs in [1, 3, 4, 9] {
        let problem = FloatDepthwiseProblem(
          window: window, step: step, outputs: outputs, channels: channels, seed: channels)
        #expect(problem.result(set) == problem.expected())
      }
    }
  }
}

/// A product with its operands.
private struct FloatProblem {
  let rows: Int
  let columns: Int
  let taps: Int
  let depth: Int
  var left: [Float]
  var weights: [Float]
  var bias: [Float]
  private var random: SeededRandom

  init(rows: Int, columns: Int, taps: Int, depth: Int, seed: Int) {
    (self.rows, self.columns, self.taps, self.depth) = (rows, columns, taps, depth)
    var random = SeededRandom(seed: seed)
    left = (0..<taps * rows * depth).map { _ in Float(Int.random(in: -4...4, using: &random)) }
    weights = (0..<columns * taps * depth).map { _ in
      Float(Int.random(in: -4...4, using: &random))
    }
    bias = (0..<columns).map { _ in Float(Int.random(in: -9...9, using: &random)) }
    self.random = random
  }

  mutating func makeFractional() {
    left = left.map { _ in Float.random(in: -1...1, using: &random) }
    weights = weights.map { _ in Float.random(in: -1...1, using: &random) }
  }

  func expected() -> [Float] {
    var result: [Float] = []
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = bias[column]
        for tap in 0..<taps {
          for k in 0..<depth {
            sum +=
              left[(tap * rows + row) * depth + k]
              * weights[(column * taps + tap) * depth + k]
          }
        }
        result.append(min(max(sum, -60), 60))
      }
    }
    return result
  }

  func result(_ set: MicrokernelSet, copies: Bool, rowsAtOnce: Int? = nil) -> [Float] {
    let layout = set.float.layout
    let left = GuardedBuffer(left)
    let weights = GuardedBuffer(weights)
    let bias = GuardedBuffer(bias)
    let output = GuardedBuffer([Float](repeating: -1, count: rows * columns))
    let packed = unsafe PackedFloatMatrix(
      FloatMatrixSource(
        weights: weights.address, columnStride: taps * depth, depthStride: 1,
        columnCount: columns, depth: taps * depth, bias: bias.address), layout)
    let starts = unsafe GuardedBuffer(
      (0..<taps * rows).map { unsafe UnsafePointer(left.address + $0 * depth) })
    let scratch = AlignedMemory(zeroed: layout.scratchByteCount(depth: taps * depth))
    let isLimited = self.left.contains { $0.isInfinite }
    for first in stride(from: 0, to: rows, by: rowsAtOnce ?? rows) {
      unsafe set.float.gemm(
        FloatGemmTask(
          rows: starts.address + first, rowPitch: rows,
          rowCount: min(rowsAtOnce ?? rows, rows - first), tapCount: taps, depth: depth,
          weights: packed.panel(from: 0), columnCount: columns,
          output: output.address + first * columns, outputStride: columns,
          lowest: isLimited ? -3 : -60, highest: isLimited ? 6 : 60,
          scratch: copies ? scratch.address : nil))
    }
    return output.elements
  }
}

/// A run of a depthwise convolution with its operands, the window square.
private struct FloatDepthwiseProblem {
  let window: Int
  let step: Int
  let outputs: Int
  let channels: Int
  let width: Int
  let pixels: [Float]
  let weights: [Float]
  let bias: [Float]

  init(window: Int, step: Int, outputs: Int, channels: Int, seed: Int) {
    (self.window, self.step, self.outputs, self.channels) = (window, step, outputs, channels)
    let width = (outputs - 1) * step + window
    self.width = width
    var random = SeededRandom(seed: seed)
    func numbers(_ count: Int) -> [Float] {
      (0..<count).map { _ in Float(Int.random(in: -5...5, using: &random)) }
    }
    pixels = numbers(window * width * channels)
    weights = numbers(window * window * channels)
    bias = numbers(channels)
  }

  func expected() -> [Float] {
    var result: [Float] = []
    for output in 0..<outputs {
      for channel in 0..<channels {
        var sum = bias[channel]
        for tap in 0..<window * window {
          let pixel = tap / window * width + output * step + tap % window
          sum += pixels[pixel * channels + channel] * weights[tap * channels + channel]
        }
        result.append(min(max(sum, -40), 50))
      }
    }
    return result
  }

  func result(_ set: MicrokernelSet) -> [Float] {
    let pixels = GuardedBuffer(pixels)
    let weights = GuardedBuffer(weights)
    let bias = GuardedBuffer(bias)
    let output = GuardedBuffer([Float](repeating: -1, count: outputs * channels))
    let packed = unsafe PackedFloatDepthwise(
      weights: weights.address, bias: bias.address, tapCount: window * window,
      channelCount: channels, set.float.layout)
    let starts = unsafe GuardedBuffer(
      (0..<window * width).map { unsafe UnsafePointer(pixels.address + $0 * channels) })
    let offsets = GuardedBuffer((0..<window).map { $0 * width })
    unsafe set.float.depthwise(
      FloatDepthwiseTask(
        pixels: starts.address,
        window: DepthwiseWindow(
          rowOffsets: offsets.address, rowCount: window,
          DepthwiseShape(rowCount: window, columnCount: window, step: step)), outputCount: outputs,
        channelCount: channels, weights: packed.panels,
        output: output.address, outputStride: channels, lowest: -40, highest: 50))
    return output.elements
  }
}
