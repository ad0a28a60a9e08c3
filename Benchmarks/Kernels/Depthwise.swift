// SPDX-License-Identifier: Apache-2.0

import Microkernels
import OptimizedKernels

/// A depthwise convolution, run row by row.
struct DepthwiseBenchmark {
  let layer: DepthwiseLayer
  let set: MicrokernelSet

  private var width: Int { layer.inputSide }
  private var taps: Int { layer.window * layer.window }
  private var window: DepthwiseShape {
    DepthwiseShape(rowCount: layer.window, columnCount: layer.window, step: layer.step)
  }
  private var offsets: [Int] { (0..<layer.window).map { $0 * width } }

  /// Seconds of the layer in float.
  func float() -> Double {
    let input = AlignedMemory(zeroed: width * width * layer.channels * 4)
    let weights = AlignedMemory(zeroed: taps * layer.channels * 4)
    let output = AlignedMemory(zeroed: layer.side * layer.side * layer.channels * 4)
    let packed = unsafe PackedFloatDepthwise(
      weights: weights.address.assumingMemoryBound(to: Float.self), bias: nil, tapCount: taps,
      channelCount: layer.channels, set.float.layout)
    let pixels = unsafe (0..<width * width).map {
      unsafe UnsafePointer(
        (input.address + $0 * layer.channels * 4).assumingMemoryBound(to: Float.self))
    }
    return unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe offsets.withUnsafeBufferPointer { offsets in
        guard let pixels = pixels.baseAddress, let offsets = offsets.baseAddress else { return 0 }
        return BestTime.thorough.seconds {
          for row in 0..<layer.side {
            unsafe set.float.depthwise(
              FloatDepthwiseTask(
                pixels: pixels + row * layer.step * width,
                window: DepthwiseWindow(
                  rowOffsets: offsets, rowCount: layer.window, window),
                outputCount: layer.side, channelCount: layer.channels,
                weights: packed.panels,
                output: output.address.assumingMemoryBound(to: Float.self)
                  + row * layer.side * layer.channels,
                outputStride: layer.channels, lowest: 0, highest: 6))
          }
        }
      }
    }
  }

  /// Seconds of the layer in 8-bit integers.
  func byte() -> Double {
    let input = AlignedMemory(zeroed: width * width * layer.channels)
    let weights = AlignedMemory(zeroed: taps * layer.channels)
    let output = AlignedMemory(zeroed: layer.side * layer.side * layer.channels)
    let packed = unsafe PackedByteDepthwise(
      ByteDepthwiseSource(
        weights: weights.address.assumingMemoryBound(to: UInt8.self), isSigned: true,
        zeroPoint: 0, shape: window, channelCount: layer.channels, activationZeroPoint: 100),
      set.byte)
    let scaling = ByteScaling(
      factors: [ByteFactor(significand: 0x5000_0000, exponent: -7)], roundsTwice: true,
      positions: packed.positions, sumBound: packed.sumBound,
      output: ByteOutput(zeroPoint: -128, lowest: -128, highest: 127, isSigned: true))
    let scratch = AlignedMemory(zeroed: set.byte.depthwiseScratchByteCount)
    let pixels = unsafe (0..<width * width).map {
      unsafe UnsafeRawPointer(input.address + $0 * layer.channels)
    }
    return unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe offsets.withUnsafeBufferPointer { offsets in
        guard let pixels = pixels.baseAddress, let offsets = offsets.baseAddress else { return 0 }
        return BestTime.thorough.seconds {
          for row in 0..<layer.side {
            unsafe set.byte.depthwise(
              ByteDepthwiseTask(
                pixels: pixels + row * layer.step * width,
                window: DepthwiseWindow(
                  rowOffsets: offsets, rowCount: layer.window, window),
                outputCount: layer.side, channelCount: layer.channels, order: packed.order,
                activationFlip: 0x80, weights: packed.panels, finish: scaling.finish(),
                output: output.address + row * layer.side * layer.channels,
                outputStride: layer.channels, scratch: scratch.address))
          }
        }
      }
    }
  }
}
