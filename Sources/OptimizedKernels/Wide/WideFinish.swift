// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// How the sums of 16-bit activations and 8-bit weights become results.
///
///     y = clamp((Σ + bias[c]) · significand[c] + 2^(shift − 1)) >> shift)
///
/// The significand has 16 bits: see `FixedPointMultiplier.scale(_: Int64)`.
struct WideFinish: Sendable {
  /// The constants of a channel.
  private struct Channel: Sendable {
    let bias: Int64
    let significand: Int64
    let half: Int64
    let shift: Int64
  }

  private let channels: [Channel]
  private let lowest: Int32
  private let highest: Int32

  /// The rule of `arithmetic` for `channelCount` channels; nil for shifts that mean nothing.
  init?(_ arithmetic: WideConvolution, _ weights: ConstantWeights, channelCount: Int) {
    let bias = unsafe weights.biasAddress(as: Int64.self)
    var channels: [Channel] = []
    for channel in 0..<channelCount {
      let factor = arithmetic.multipliers[channel]
      let shift = 15 - Int64(factor.exponent)
      guard (0...62).contains(shift) else { return nil }
      let isBelowLimit = factor.significand < 0x7FFF_0000
      channels.append(
        Channel(
          bias: unsafe bias.map { unsafe $0[channel] } ?? 0,
          significand: isBelowLimit ? (Int64(factor.significand) + (1 << 15)) >> 16 : 0x7FFF,
          half: shift > 0 ? 1 << (shift - 1) : 0, shift: shift))
    }
    self.channels = channels
    (lowest, highest) = (arithmetic.range.lowest, arithmetic.range.highest)
  }

  /// Writes the results of a pixel, whose sums are `sum(channel)`.
  @inline(__always)
  func write(to output: UnsafeMutablePointer<Int16>, _ sum: (_ channel: Int) -> Int64) {
    unsafe channels.withUnsafeBufferPointer { channels in
      guard let channel = channels.baseAddress else { return }
      for index in 0..<channels.count {
        let constants = unsafe channel[index]
        let product = (sum(index) &+ constants.bias) &* constants.significand
        let scaled = Int32(truncatingIfNeeded: (product &+ constants.half) &>> constants.shift)
        unsafe output[index] = Int16(clamping: min(max(scaled, lowest), highest))
      }
    }
  }
}
