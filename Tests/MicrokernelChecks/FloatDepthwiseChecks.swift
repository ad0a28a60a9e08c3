// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// Float depthwise convolutions, whose operands are small integers.
  static let floatDepthwise = [
    Self("float depthwise convolutions", depthwiseRuns)
  ]
}

private func depthwiseRuns(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for channels in [1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 32, 40, 65] {
    for (window, step) in [(3, 1), (3, 2), (5, 1), (1, 1), (2, 3)] {
      for outputs in [1, 3, 4, 9] {
        let problem = FloatDepthwise(
          window: window, step: step, outputs: outputs, channels: channels, seed: channels)
        comparison.equal(problem.result(set), problem.expected(), "\(problem)")
      }
    }
  }
}

/// A run of a depthwise convolution with its operands, the window square.
private struct FloatDepthwise: CustomStringConvertible {
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
    width = (outputs - 1) * step + window
    var random = SeededRandom(seed: seed)
    pixels = random.wholeFloats(window * width * channels, in: -5...5)
    weights = random.wholeFloats(window * window * channels, in: -5...5)
    bias = random.wholeFloats(channels, in: -5...5)
  }

  var description: String {
    "\(outputs) pixels of \(channels) channels, window \(window), stride \(step)"
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
    let output = GuardedBuffer(repeating: -1 as Float, count: outputs * channels)
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
          DepthwiseShape(rowCount: window, columnCount: window, step: step)),
        outputCount: outputs, channelCount: channels, weights: packed.panels,
        output: output.address, outputStride: channels, lowest: -40, highest: 50))
    return output.elements
  }
}
