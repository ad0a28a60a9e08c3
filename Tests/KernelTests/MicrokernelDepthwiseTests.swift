// SPDX-License-Identifier: Apache-2.0

import MicrokernelChecks
import Microkernels
import OptimizedKernels
import SeededRandom
import Tensors
import Testing

/// 8-bit depthwise tiles against plain loops: sums and quantized values equal bit for bit.
@Suite struct MicrokernelDepthwiseTests {
  static let types: [(activations: Bool, weights: Bool)] = [
    (true, true), (false, true), (false, false),
  ]

  @Test(
    arguments: MicrokernelSet.tested,
    [1, 2, 3, 4, 8, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 96, 100, 144])
  func `sums of any size are exact`(set: MicrokernelSet, channels: Int) {
    for (window, step) in [(3, 1), (3, 2), (5, 1), (5, 2), (7, 1), (1, 1), (2, 3)] {
      for outputs in [1, 2, 17] {
        for types in Self.types {
          let problem = ByteDepthwiseProblem(
            window: window, step: step, outputs: outputs, channels: channels,
            signedActivations: types.activations, signedWeights: types.weights, seed: channels)
          #expect(problem.sums(set) == problem.expectedSums())
        }
      }
    }
  }

  @Test(
    arguments: MicrokernelSet.tested,
    [0, 1, 127, 128, 255] as [Int32])
  func `weights far from their zero point are exact`(set: MicrokernelSet, zeroPoint: Int32) {
    var problem = ByteDepthwiseProblem(
      window: 3, step: 1, outputs: 5, channels: 70, signedActivations: false,
      signedWeights: false, seed: 4)
    problem.weightZeroPoint = zeroPoint
    for (index, code) in ([0, 255, 128, 127] as [UInt8]).enumerated() {
      problem.weights[index] = code
    }
    #expect(problem.sums(set) == problem.expectedSums())
  }

  @Test(
    arguments: MicrokernelSet.tested,
    [Rounding.double, .single])
  func `codes by fixed point follow both rounding profiles`(set: MicrokernelSet, rounding: Rounding)
  {
    let sizes = [(3, 1, 19), (3, 1, 66), (3, 2, 34), (5, 1, 40), (5, 2, 21), (7, 1, 3)]
    for (channels, size) in [5, 16, 40, 64, 100, 145].flatMap({ c in sizes.map { (c, $0) } }) {
      for types in Self.types {
        let problem = ByteDepthwiseProblem(
          window: size.0, step: size.1, outputs: size.2, channels: channels,
          signedActivations: types.activations, signedWeights: types.weights, seed: channels)
        var random = SeededRandom(seed: channels)
        for factorRange in [1e-4...2e-2, 1e-4...3] {
          let factors = (0..<channels).map { _ in
            FixedPointMultiplier(Double.random(in: factorRange, using: &random), rounding: rounding)
          }
          let output = ByteOutput(
            zeroPoint: types.activations ? 9 : 100, lowest: types.activations ? -128 : 3,
            highest: types.activations ? 90 : 255, isSigned: types.activations)
          let (codes, isFast) = problem.codes(set, factors, rounding, output)
          // Sums are shifted left only where scaling rounds twice.
          #expect(isFast == (factorRange.upperBound < 1 || rounding == .double))
          #expect(codes == problem.expectedQuantized(factors, output: output))
        }
      }
    }
  }
}

/// A run of a depthwise convolution with its operands, the window square.
private struct ByteDepthwiseProblem {
  let window: Int
  let step: Int
  let outputs: Int
  let channels: Int
  let width: Int
  let signedActivations: Bool
  let signedWeights: Bool
  let inputZeroPoint: Int32
  var weightZeroPoint: Int32
  let pixels: [UInt8]
  var weights: [UInt8]
  let bias: [Int32]

  init(
    window: Int, step: Int, outputs: Int, channels: Int, signedActivations: Bool,
    signedWeights: Bool, seed: Int
  ) {
    (self.window, self.step, self.outputs, self.channels) = (window, step, outputs, channels)
    (self.signedActivations, self.signedWeights) = (signedActivations, signedWeights)
    let width = (outputs - 1) * step + window
    self.width = width
    var random = SeededRandom(seed: seed)
    inputZeroPoint = Int32.random(in: signedActivations ? -128...127 : 0...255, using: &random)
    weightZeroPoint = signedWeights ? 0 : Int32.random(in: 0...255, using: &random)
    func codes(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    pixels = codes(window * width * channels)
    weights = codes(window * window * channels)
    bias = (0..<channels).map { _ in Int32.random(in: -50_000...50_000, using: &random) }
  }

  private var shape: DepthwiseShape {
    DepthwiseShape(rowCount: window, columnCount: window, step: step)
  }

  func expectedSums() -> [Int32] {
    func value(_ code: UInt8, signed: Bool) -> Int32 {
      signed ? Int32(Int8(bitPattern: code)) : Int32(code)
    }
    var result: [Int32] = []
    for output in 0..<outputs {
      for channel in 0..<channels {
        var sum = bias[channel]
        for tap in 0..<window * window {
          let pixel = tap / window * width + output * step + tap % window
          let activation = pixels[pixel * channels + channel]
          sum +=
            (value(activation, signed: signedActivations) - inputZeroPoint)
            * (value(weights[tap * channels + channel], signed: signedWeights)
              - weightZeroPoint)
        }
        result.append(sum)
      }
    }
    return result
  }

  func expectedQuantized(_ factors: [FixedPointMultiplier], output: ByteOutput) -> [UInt8] {
    expectedSums().enumerated().map { index, sum in
      let code = factors[index % channels].scale(sum) + output.zeroPoint
      return UInt8(truncatingIfNeeded: min(max(code, output.lowest), output.highest))
    }
  }

  func sums(_ set: MicrokernelSet) -> [Int32] {
    let output = GuardedBuffer([Int32](repeating: -1, count: outputs * channels))
    let packed = packed(set)
    unsafe run(
      set, packed, ByteScaling.none, UnsafeMutableRawPointer(output.address), stride: channels * 4)
    return output.elements
  }

  func codes(
    _ set: MicrokernelSet, _ factors: [FixedPointMultiplier], _ rounding: Rounding,
    _ codes: ByteOutput
  ) -> (codes: [UInt8], isFast: Bool) {
    let output = GuardedBuffer([UInt8](repeating: 99, count: outputs * channels))
    let packed = packed(set)
    let scaling = ByteScaling(
      factors: factors.map { ByteFactor(significand: $0.significand, exponent: $0.exponent) },
      roundsTwice: rounding == .double, positions: packed.positions, sumBound: packed.sumBound,
      output: codes)
    unsafe run(set, packed, scaling, UnsafeMutableRawPointer(output.address), stride: channels)
    return (output.elements, scaling.isFast)
  }

  private func packed(_ set: MicrokernelSet) -> PackedByteDepthwise {
    let weights = GuardedBuffer(weights)
    let bias = GuardedBuffer(bias)
    return unsafe PackedByteDepthwise(
      ByteDepthwiseSource(
        weights: weights.address, isSigned: signedWeights, zeroPoint: weightZeroPoint,
        bias: bias.address, shape: shape, channelCount: channels,
        activationZeroPoint: inputZeroPoint + (signedActivations ? 128 : 0)), set.byte)
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
      [UInt8](repeating: 0xAA, count: set.byte.depthwiseScratchByteCount))
    unsafe set.byte.depthwise(
      ByteDepthwiseTask(
        pixels: starts.address,
        window: DepthwiseWindow(rowOffsets: offsets.address, rowCount: rows, shape),
        outputCount: outputs, channelCount: channels, order: packed.order,
        activationFlip: signedActivations ? 0x80 : 0, weights: packed.panels,
        finish: scaling.finish(), output: output, outputStride: stride,
        scratch: UnsafeMutableRawPointer(scratch.address)))
  }
}
