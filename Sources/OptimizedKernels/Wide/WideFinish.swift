// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// How the sums of 16-bit activations and 8-bit weights become results.
///
///     y = clamp(scale[c](Σ + bias[c]))
struct WideFinish: Sendable {
  /// How the sums of each channel are scaled.
  private enum Scaling: Sendable {
    /// As `FixedPointMultiplier.scale(_: Int64)` does.
    case shifts([Shift])
    /// In fixed point, after wrapping at 32 bits.
    case narrow([FixedPointMultiplier])
    /// In double precision.
    case real([Double])
    /// In double precision, after wrapping at 32 bits.
    case narrowReal([Double])
  }

  /// A factor with a significand of 16 bits.
  ///
  ///     (Σ · significand + 2^(shift − 1)) >> shift
  private struct Shift: Sendable {
    let significand: Int64
    let half: Int64
    let shift: Int64

    /// The factor as such; nil for shifts that mean nothing.
    init?(_ factor: FixedPointMultiplier) {
      shift = 15 - Int64(factor.exponent)
      guard (0...62).contains(shift) else { return nil }
      let isBelowLimit = factor.significand < 0x7FFF_0000
      significand = isBelowLimit ? (Int64(factor.significand) + (1 << 15)) >> 16 : 0x7FFF
      half = shift > 0 ? 1 << (shift - 1) : 0
    }
  }

  /// What each channel adds to its sums: the bias, and what the sums lack.
  private let offsets: [Int64]
  private let scaling: Scaling
  private let lowest: Int32
  private let highest: Int32

  /// The rule of `format` for channels that add as much as `offsets` to their sums besides the
  /// bias; nil for shifts that mean nothing.
  init?(_ format: WideFormat, _ weights: ConstantWeights, offsets: [Int64]) {
    let channelCount = offsets.count
    func each<Factor>(_ factors: [Factor]) -> [Factor] {
      factors.count == 1 ? Array(repeating: factors[0], count: channelCount) : factors
    }
    switch format.factors {
    case .fixedPoint(let factors) where format.hasWideSums:
      let shifts = factors.compactMap { Shift($0) }
      guard shifts.count == factors.count else { return nil }
      scaling = .shifts(each(shifts))
    case .fixedPoint(let factors): scaling = .narrow(each(factors))
    case .real(let factors):
      scaling = format.hasWideSums ? .real(each(factors)) : .narrowReal(each(factors))
    }
    let wide = unsafe weights.biasAddress(as: Int64.self)
    let narrow = unsafe weights.biasAddress(as: Int32.self)
    self.offsets = offsets.enumerated().map { channel, offset in
      let bias =
        format.hasWideSums
        ? unsafe wide.map { unsafe $0[channel] } : unsafe narrow.map { unsafe Int64($0[channel]) }
      return offset &+ (bias ?? 0)
    }
    (lowest, highest) = (format.range.lowest, format.range.highest)
  }

  /// Writes the results of some channels of a pixel, whose sums are `sum(channel)`; `output` is
  /// the pixel's first channel.
  @inline(__always)
  func write(
    _ channels: Range<Int>, to output: UnsafeMutablePointer<Int16>,
    _ sum: (_ channel: Int) -> Int64
  ) {
    switch scaling {
    case .shifts(let factors):
      unsafe write(channels, to: output, factors, sum) { total, factor in
        let product = total &* factor.significand
        return Int32(truncatingIfNeeded: (product &+ factor.half) &>> factor.shift)
      }
    case .narrow(let factors):
      unsafe write(channels, to: output, factors, sum) { total, factor in
        factor.scale(Int32(truncatingIfNeeded: total))
      }
    case .real(let factors):
      unsafe write(channels, to: output, factors, sum) { total, factor in
        Int32(roundingOrLeast: Double(total) * factor)
      }
    case .narrowReal(let factors):
      unsafe write(channels, to: output, factors, sum) { total, factor in
        Int32(roundingOrLeast: Double(Int32(truncatingIfNeeded: total)) * factor)
      }
    }
  }

  @inline(__always)
  private func write<Factor>(
    _ channels: Range<Int>, to output: UnsafeMutablePointer<Int16>, _ factors: [Factor],
    _ sum: (_ channel: Int) -> Int64, _ scale: (_ total: Int64, _ factor: Factor) -> Int32
  ) {
    unsafe factors.withUnsafeBufferPointer { factors in
      unsafe offsets.withUnsafeBufferPointer { offsets in
        guard let factor = factors.baseAddress, let offset = offsets.baseAddress else { return }
        for channel in channels {
          let scaled = unsafe scale(sum(channel) &+ offset[channel], factor[channel])
          unsafe output[channel] = Int16(clamping: min(max(scaled, lowest), highest))
        }
      }
    }
  }
}
