// SPDX-License-Identifier: Apache-2.0

import Microkernels

/// A depthwise convolution, run row by row.
struct DepthwiseBenchmark {
  let shape: DepthwiseShape
  let set: MicrokernelSet

  private var width: Int { (shape.side - 1) * shape.step + shape.window }
  private var taps: Int { shape.window * shape.window }
  private var offsets: [Int] { (0..<shape.window).map { $0 * width } }

  /// Seconds of the layer in float.
  func float() -> Double {
    let input = AlignedMemory(zeroed: width * width * shape.channels * 4)
    let weights = AlignedMemory(zeroed: taps * shape.channels * 4)
    let output = AlignedMemory(zeroed: shape.side * shape.side * shape.channels * 4)
    let packed = unsafe PackedFloatDepthwise(
      weights: weights.address.assumingMemoryBound(to: Float.self), bias: nil, tapCount: taps,
      channelCount: shape.channels, set.float.layout)
    let pixels = unsafe (0..<width * width).map {
      unsafe UnsafePointer(
        (input.address + $0 * shape.channels * 4).assumingMemoryBound(to: Float.self))
    }
    return unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe offsets.withUnsafeBufferPointer { offsets in
        guard let pixels = pixels.baseAddress, let offsets = offsets.baseAddress else { return 0 }
        return bestSeconds {
          for row in 0..<shape.side {
            unsafe set.float.depthwise(
              FloatDepthwiseTask(
                pixels: pixels + row * shape.step * width,
                window: DepthwiseWindow(
                  rowOffsets: offsets, rowCount: shape.window, columnCount: shape.window,
                  tapStep: 1, step: shape.step), outputCount: shape.side,
                channelCount: shape.channels,
                weights: packed.panels,
                output: output.address.assumingMemoryBound(to: Float.self)
                  + row * shape.side * shape.channels,
                outputStride: shape.channels, lowest: 0, highest: 6))
          }
        }
      }
    }
  }

  /// Seconds of the layer in 8-bit integers.
  func byte() -> Double {
    let input = AlignedMemory(zeroed: width * width * shape.channels)
    let weights = AlignedMemory(zeroed: taps * shape.channels)
    let output = AlignedMemory(zeroed: shape.side * shape.side * shape.channels)
    let packed = unsafe PackedByteDepthwise(
      ByteDepthwiseSource(
        weights: weights.address.assumingMemoryBound(to: UInt8.self), isSigned: true,
        zeroPoint: 0, rowCount: shape.window, columnCount: shape.window, step: shape.step,
        channelCount: shape.channels, activationZeroPoint: 100),
      set.byte)
    let scaling = ByteScaling(
      factors: [ByteFactor(significand: 0x5000_0000, exponent: -7)], roundsTwice: true,
      positions: packed.positions, sumBound: packed.sumBound,
      output: ByteOutput(zeroPoint: -128, lowest: -128, highest: 127, isSigned: true))
    let scratch = AlignedMemory(zeroed: set.byte.depthwiseScratchByteCount)
    let pixels = unsafe (0..<width * width).map {
      unsafe UnsafeRawPointer(input.address + $0 * shape.channels)
    }
    return unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe offsets.withUnsafeBufferPointer { offsets in
        guard let pixels = pixels.baseAddress, let offsets = offsets.baseAddress else { return 0 }
        return bestSeconds {
          for row in 0..<shape.side {
            unsafe set.byte.depthwise(
              ByteDepthwiseTask(
                pixels: pixels + row * shape.step * width,
                window: DepthwiseWindow(
                  rowOffsets: offsets, rowCount: shape.window, columnCount: shape.window,
                  tapStep: 1, step: shape.step), outputCount: shape.side,
                channelCount: shape.channels, order: packed.order,
                activationFlip: 0x80, weights: packed.panels, finish: scaling.finish(),
                output: output.address + row * shape.side * shape.channels,
                outputStride: shape.channels, scratch: scratch.address))
          }
        }
      }
    }
  }
}
