// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Averages and maxima of 8-bit quantized values, all channels of a pixel at a time: the same
/// quantized values as the reference kernel.
final class BytePool: BlockKernel {
  /// Pixels of a window whose sum certainly fits 32 bits.
  private static let windowLimit = 1 << 22

  private let isAverage: Bool
  private let isSigned: Bool
  private let range: ActivationRange<Int32>
  private let lines: PoolLines

  /// The averages of `loop`; nil for other than 8-bit quantized values and for huge windows.
  init?<Element: FixedWidthInteger>(_ loop: Pool2DLoop<QuantizedAverage<Element>>) {
    let (rows, columns) = (loop.nest.geometry.rows, loop.nest.geometry.columns)
    let (pixels, overflow) = min(rows.window, rows.input)
      .multipliedReportingOverflow(by: min(columns.window, columns.input))
    guard Element.bitWidth == 8, !overflow, pixels <= Self.windowLimit,
      Self.isOrderly(loop.arithmetic.range)
    else { return nil }
    isAverage = true
    isSigned = Element.isSigned
    range = loop.arithmetic.range
    lines = PoolLines(loop.nest)
  }

  /// The maxima of `loop`; nil for other than 8-bit quantized values.
  init?<Element: FixedWidthInteger>(_ loop: Pool2DLoop<QuantizedMaximum<Element>>) {
    guard Element.bitWidth == 8, Self.isOrderly(loop.arithmetic.range) else { return nil }
    isAverage = false
    isSigned = Element.isSigned
    range = loop.arithmetic.range
    lines = PoolLines(loop.nest)
  }

  /// Whether limits are what only whole models have.
  private static func isOrderly(_ range: ActivationRange<Int32>) -> Bool {
    range.lowest <= range.highest
  }

  func blockCount(workerCount: Int) -> Int { lines.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    if isSigned {
      compute(frame, as: Int8.self, workerCount, next)
    } else {
      compute(frame, as: UInt8.self, workerCount, next)
    }
  }

  @inline(__always)
  private func compute<Quantized: FixedWidthInteger>(
    _ frame: borrowing TensorFrame, as type: Quantized.Type, _ workerCount: Int, _ next: () -> Int?
  ) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Quantized.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Quantized.self)
    let (depth, blocks) = (lines.depth, lines.blocks(workerCount: workerCount))
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: depth) { buffer in
      guard let sums = buffer.baseAddress else { return }
      while let block = next() {
        lines.forEachWindow(in: blocks.lines(block)) { window in
          let target = unsafe output + window.output
          if isAverage {
            unsafe average(input, window, sums, target)
          } else {
            unsafe maximum(input, window, target)
          }
        }
      }
    }
  }

  @inline(__always)
  private func average<Quantized: FixedWidthInteger>(
    _ input: UnsafePointer<Quantized>, _ window: PoolWindow, _ sums: UnsafeMutablePointer<Int32>,
    _ output: UnsafeMutablePointer<Quantized>
  ) {
    let depth = lines.depth
    for channel in 0..<depth { unsafe sums[channel] = 0 }
    window.forEachPixel { start in
      let pixel = unsafe input + start
      // At most 2^22 quantized values of 8 bits: no overflow.
      for channel in 0..<depth { unsafe sums[channel] &+= Int32(pixel[channel]) }
    }
    let division = RoundedDivision(by: window.count)
    for channel in 0..<depth {
      let average = unsafe division.quotient(sums[channel])
      unsafe output[channel] = Quantized(clamping: min(max(average, range.lowest), range.highest))
    }
  }

  @inline(__always)
  private func maximum<Quantized: FixedWidthInteger>(
    _ input: UnsafePointer<Quantized>, _ window: PoolWindow,
    _ output: UnsafeMutablePointer<Quantized>
  ) {
    let depth = window.depth
    var channel = 0
    // The last run ends with the last channel: what both have is computed twice.
    while channel < depth, depth >= 16 {
      channel = min(channel, depth &- 16)
      unsafe maximum(input + channel, window, output + channel, PoolRun<16>.self)
      channel &+= 16
    }
    while channel < depth, depth >= 8 {
      channel = min(channel, depth &- 8)
      unsafe maximum(input + channel, window, output + channel, PoolRun<8>.self)
      channel &+= 8
    }
    while channel < depth {
      unsafe maximum(input + channel, window, output + channel, PoolRun<1>.self)
      channel &+= 1
    }
  }

  /// A run of channels of one window.
  @inline(__always)
  private func maximum<Quantized: FixedWidthInteger, let width: Int>(
    _ input: UnsafePointer<Quantized>, _ window: PoolWindow,
    _ output: UnsafeMutablePointer<Quantized>, _: PoolRun<width>.Type
  ) {
    let (lowest, highest) = (Quantized(clamping: range.lowest), Quantized(clamping: range.highest))
    var results = InlineArray<width, Quantized>(repeating: lowest)
    window.forEachPixel { start in
      for lane in 0..<width {
        let (largest, quantized) = unsafe (results[lane], input[start &+ lane])
        results[lane] = largest < quantized ? quantized : largest
      }
    }
    for lane in 0..<width {
      unsafe output[lane] = highest < results[lane] ? highest : results[lane]
    }
  }
}

/// The division of 32-bit numbers by a number of pixels, halves away from zero.
///
/// A product with `⌈2ᵏ / count⌉` instead, where `2ᵏ⁻³¹` is not below `count`: it is off by less than
/// `2⁻ᵏ` for each unit of a number below 2³¹, which leaves its whole part as it is.
private struct RoundedDivision {
  private let half: UInt64
  private let factor: UInt64
  private let shift: UInt64

  /// The division by `count`, from 1 to 2²².
  init(by count: Int) {
    half = UInt64(count / 2)
    shift = UInt64(31 + Int.bitWidth - (count - 1).leadingZeroBitCount)
    factor = ((1 << shift) + UInt64(count) - 1) / UInt64(count)
  }

  @inline(__always)
  func quotient(_ number: Int32) -> Int32 {
    let magnitude = UInt64(number.magnitude) &+ half
    let quotient = Int32(truncatingIfNeeded: (magnitude &* factor) &>> shift)
    return number < 0 ? 0 &- quotient : quotient
  }
}
