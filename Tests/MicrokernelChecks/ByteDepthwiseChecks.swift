// SPDX-License-Identifier: Apache-2.0

internal import Microkernels
internal import SeededRandom

extension MicrokernelCheck {
  /// 8-bit depthwise convolutions: sums and quantized values.
  static let byteDepthwise = [
    Self("byte depthwise convolutions of any size", sumsOfAnySize),
    Self("byte depthwise convolutions of any window", sumsOfAnyWindow),
    Self("byte depthwise convolutions of extremes", sumsOfExtremes),
    Self("byte depthwise weights far from their zero point", sumsOfDistantWeights),
    Self("byte depthwise convolutions scaled by fixed point", valuesByFixedPoint),
  ]
}

/// The types that depthwise convolutions have.
private let types = Array(ByteTypes.all.prefix(3))

private func sumsOfAnySize(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let counts = [1, 2, 3, 4, 8, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 96, 100, 144]
  for channels in counts {
    for (window, step) in [(3, 1), (3, 2), (5, 1), (5, 2), (7, 1), (1, 1), (2, 3)] {
      for outputs in [1, 2, 17] {
        for types in types {
          let problem = ByteDepthwise(
            window: window, step: step, outputs: outputs, channels: channels, types: types,
            seed: channels)
          comparison.equal(problem.sums(set), problem.expectedSums(), "\(problem)")
        }
      }
    }
  }
}

private func sumsOfAnyWindow(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for rows in 1...9 {
    for columns in 1...9 {
      for (step, outputs, channels) in [(1, 6, 16), (2, 4, 40), (1, 3, 33)] {
        for types in types {
          let problem = ByteDepthwise(
            window: rows, columns: columns, step: step, outputs: outputs, channels: channels,
            types: types, seed: rows)
          comparison.equal(problem.sums(set), problem.expectedSums(), "\(problem)")
        }
      }
    }
  }
}

private func sumsOfExtremes(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for types in types {
    for (window, step) in [(3, 1), (3, 2), (5, 1), (5, 2), (7, 1)] {
      var problem = ByteDepthwise(
        window: window, step: step, outputs: 3, channels: 37, types: types, seed: 1)
      for activation in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
        problem.pixels = problem.pixels.map { _ in activation }
        for weight in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
          problem.weights = problem.weights.map { _ in weight }
          comparison.equal(problem.sums(set), problem.expectedSums(), "\(problem)")
        }
      }
    }
  }
}

private func sumsOfDistantWeights(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  for zeroPoint in [0, 1, 127, 128, 255] as [Int32] {
    var problem = ByteDepthwise(
      window: 3, step: 1, outputs: 5, channels: 70,
      types: ByteTypes(activations: false, weights: false), seed: 4)
    problem.weightZeroPoint = zeroPoint
    for (index, weight) in ([0, 255, 128, 127] as [UInt8]).enumerated() {
      problem.weights[index] = weight
    }
    comparison.equal(problem.sums(set), problem.expectedSums(), "zero point \(zeroPoint)")
  }
}

private func valuesByFixedPoint(_ set: MicrokernelSet, _ comparison: inout Comparison) {
  let sizes = [(3, 1, 19), (3, 1, 66), (3, 2, 34), (5, 1, 40), (5, 2, 21), (7, 1, 3)]
  for channels in [5, 16, 40, 64, 100, 145] {
    for (window, step, outputs) in sizes {
      for types in types {
        let problem = ByteDepthwise(
          window: window, step: step, outputs: outputs, channels: channels, types: types,
          seed: channels)
        let sums = problem.expectedSums()
        for rounding in FixedPoint.Rounding.allCases {
          compareValues(problem, sums, rounding, set, &comparison)
        }
      }
    }
  }
}

/// Compares quantized values by factors below 1 and by some that are above.
private func compareValues(
  _ problem: ByteDepthwise, _ sums: [Int32], _ rounding: FixedPoint.Rounding,
  _ set: MicrokernelSet, _ comparison: inout Comparison
) {
  var random = SeededRandom(seed: problem.channels)
  let types = problem.types.activations
  let output = ByteOutput(
    zeroPoint: types ? 9 : 100, lowest: types ? -128 : 3, highest: types ? 90 : 255,
    isSigned: types)
  for exponents in [-13 ... -5, -13...2, 0...1] as [ClosedRange<Int32>] {
    let factors = (0..<problem.channels).map { _ in
      FixedPoint(exponents: exponents, rounding: rounding, using: &random)
    }
    let (values, isFast) = problem.quantized(set, factors, output)
    // Sums are shifted left only where scaling rounds twice; a few other columns are exceptions.
    if exponents.lowerBound == 0 || exponents.upperBound < 0 || rounding != .once {
      comparison.equal(
        isFast, exponents.upperBound < 0 || rounding != .once, "the fast form takes \(problem)")
    }
    let expected = sums.enumerated().map { index, sum in
      factors[index % problem.channels].quantized(sum, output)
    }
    comparison.equal(values, expected, "\(problem), exponents \(exponents.upperBound)")
  }
}

/// A run of a depthwise convolution with its operands.
private struct ByteDepthwise: CustomStringConvertible {
  let window: Int
  let columns: Int
  let step: Int
  let outputs: Int
  let channels: Int
  let width: Int
  let types: ByteTypes
  let inputZeroPoint: Int32
  var weightZeroPoint: Int32
  var pixels: [UInt8]
  var weights: [UInt8]
  let bias: [Int32]

  /// The window has `window` rows and, unless `columns` says otherwise, as many columns.
  init(
    window: Int, columns: Int? = nil, step: Int, outputs: Int, channels: Int, types: ByteTypes,
    seed: Int
  ) {
    (self.window, self.columns) = (window, columns ?? window)
    (self.step, self.outputs, self.channels) = (step, outputs, channels)
    self.types = types
    width = (outputs - 1) * step + self.columns
    var random = SeededRandom(seed: seed)
    (inputZeroPoint, weightZeroPoint) = types.zeroPoints(using: &random)
    pixels = random.bytes(window * width * channels)
    weights = random.bytes(window * self.columns * channels)
    bias = random.integers(channels, in: -50_000...50_000)
  }

  var description: String {
    "\(outputs) pixels of \(channels) channels, window \(window) × \(columns), stride \(step), \(types)"
  }

  private var shape: DepthwiseShape {
    DepthwiseShape(rowCount: window, columnCount: columns, step: step)
  }

  func expectedSums() -> [Int32] {
    var result: [Int32] = []
    for output in 0..<outputs {
      for channel in 0..<channels {
        var sum = bias[channel]
        for tap in 0..<window * columns {
          let pixel = tap / columns * width + output * step + tap % columns
          let activation = pixels[pixel * channels + channel]
          let weight = weights[tap * channels + channel]
          sum +=
            (ByteTypes.value(activation, isSigned: types.activations) - inputZeroPoint)
            * (ByteTypes.value(weight, isSigned: types.weights) - weightZeroPoint)
        }
        result.append(sum)
      }
    }
    return result
  }

  func sums(_ set: MicrokernelSet) -> [Int32] {
    let output = GuardedBuffer(repeating: -1 as Int32, count: outputs * channels)
    unsafe run(set, packed(set), ByteScaling.none, output.rawAddress, stride: channels * 4)
    return output.elements
  }

  func quantized(
    _ set: MicrokernelSet, _ factors: [FixedPoint], _ values: ByteOutput
  ) -> (values: [UInt8], isFast: Bool) {
    let output = GuardedBuffer(repeating: 99 as UInt8, count: outputs * channels)
    let packed = packed(set)
    let scaling = ByteScaling(
      factors, positions: packed.positions, sumBound: packed.sumBound, output: values)
    unsafe run(set, packed, scaling, output.rawAddress, stride: channels)
    return (output.elements, scaling.isFast)
  }

  private func packed(_ set: MicrokernelSet) -> PackedByteDepthwise {
    let weights = GuardedBuffer(weights)
    let bias = GuardedBuffer(bias)
    return unsafe PackedByteDepthwise(
      ByteDepthwiseSource(
        weights: weights.address, isSigned: types.weights, zeroPoint: weightZeroPoint,
        bias: bias.address, shape: shape, channelCount: channels,
        activationZeroPoint: inputZeroPoint + (types.activations ? 128 : 0)), set.byte)
  }

  private func run(
    _ set: MicrokernelSet, _ packed: PackedByteDepthwise, _ scaling: ByteScaling,
    _ output: UnsafeMutableRawPointer, stride: Int
  ) {
    let pixels = GuardedBuffer(pixels)
    let starts = unsafe GuardedBuffer(
      (0..<window * width).map { unsafe UnsafeRawPointer(pixels.address + $0 * channels) })
    let rows = window * packed.planeCount
    let offsets = GuardedBuffer((0..<rows).map { $0 % window * width })
    let scratch = GuardedBuffer(
      repeating: 0xAA as UInt8, count: set.byte.depthwiseScratchByteCount)
    unsafe set.byte.depthwise(
      ByteDepthwiseTask(
        pixels: starts.address,
        window: DepthwiseWindow(rowOffsets: offsets.address, rowCount: rows, shape),
        outputCount: outputs, channelCount: channels, order: packed.order,
        activationFlip: types.activations ? 0x80 : 0, weights: packed.panels,
        finish: scaling.finish(), output: output, outputStride: stride,
        scratch: scratch.rawAddress))
  }
}
