// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Channels of images, each repeated for all its outputs, so that a depthwise convolution has one
/// output per channel.
struct RepeatedChannels: Sendable {
  private let channelCount: Int
  private let elementByteCount: Int
  /// How often each channel comes.
  let multiplier: Int

  /// The channels of `nest`'s input.
  init(_ nest: DepthwiseConv2DNest, elementByteCount: Int) {
    channelCount = nest.batchCount * nest.inputCount
    multiplier = nest.multiplier
    self.elementByteCount = elementByteCount
  }

  /// Bytes of the scratch tensors: none where no channel is repeated.
  var scratch: [Int] {
    multiplier == 1 ? [] : [channelCount * multiplier * elementByteCount]
  }

  /// The input, or its repeated channels.
  @unsafe
  func address(_ frame: borrowing TensorFrame) -> UnsafeRawPointer? {
    multiplier == 1
      ? unsafe frame.inputAddress(0) : unsafe UnsafeRawPointer(frame.scratchAddress(0))
  }

  /// Writes the repeated channels.
  func write(_ frame: borrowing TensorFrame) {
    guard multiplier > 1, let input = unsafe frame.inputAddress(0) else { return }
    unsafe write(input, to: frame.scratchAddress(0))
  }

  /// Writes the repeated channels of `input`.
  func write(_ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer) {
    if elementByteCount == 4 {
      unsafe repeatElements(
        input.assumingMemoryBound(to: UInt32.self), output.assumingMemoryBound(to: UInt32.self))
    } else {
      unsafe repeatElements(
        input.assumingMemoryBound(to: UInt8.self), output.assumingMemoryBound(to: UInt8.self))
    }
  }

  @inline(__always)
  private func repeatElements<Element: BitwiseCopyable>(
    _ input: UnsafePointer<Element>, _ output: UnsafeMutablePointer<Element>
  ) {
    var target = unsafe output
    for channel in 0..<channelCount {
      unsafe target.update(repeating: input[channel], count: multiplier)
      unsafe target += multiplier
    }
  }
}
