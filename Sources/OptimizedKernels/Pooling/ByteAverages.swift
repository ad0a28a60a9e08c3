// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Averages of 8-bit quantized values, all channels of a pixel at a time: the same quantized values
/// as the reference kernel.
final class ByteAverages: BlockKernel {
  /// Pixels of a window whose sum certainly fits 32 bits.
  private static let windowLimit = 1 << 22
  /// Scalings of a node: windows at the edges of an image have fewer pixels than others.
  private static let mostScalings = 12

  private let isSigned: Bool
  private let lowest: Int32
  private let highest: Int32
  private let lines: PoolLines
  /// What makes averages of the sums of so many pixels, where these are not too few or too many.
  private let scalings: [(count: Int, scaling: ByteScaling)]
  private let kernels: ByteMicrokernels

  /// The averages of `loop`; nil for other than 8-bit quantized values, for huge windows and for
  /// limits that only broken models have.
  init?<Element: FixedWidthInteger>(
    _ loop: Pool2DLoop<QuantizedAverage<Element>>, _ set: MicrokernelSet
  ) {
    let (rows, columns) = (loop.nest.geometry.rows, loop.nest.geometry.columns)
    let (pixels, overflow) = min(rows.window, rows.input)
      .multipliedReportingOverflow(by: min(columns.window, columns.input))
    let range = loop.arithmetic.range
    guard Element.bitWidth == 8, !overflow, pixels <= Self.windowLimit,
      range.lowest <= range.highest
    else { return nil }
    isSigned = Element.isSigned
    (lowest, highest) = (
      Int32(Element(clamping: range.lowest)), Int32(Element(clamping: range.highest))
    )
    lines = PoolLines(loop.nest)
    kernels = set.byte
    scalings = Self.counts(loop.nest.geometry).map { [lowest, highest] count in
      let scaling = ByteMicrokernels.averaging(
        count, lowest: lowest, highest: highest, isSigned: Element.isSigned)
      return (count, scaling)
    }
  }

  /// The counts of pixels that windows have in the image, the largest at first, as far as there are
  /// scalings for them.
  private static func counts(_ geometry: WindowGeometry) -> [Int] {
    let (heights, widths) = (tapCounts(geometry.rows), tapCounts(geometry.columns))
    var counts: [Int] = []
    for height in heights.reversed() {
      let widest = min(widths.upperBound, ByteMicrokernels.averagedCounts.upperBound / height)
      for width in stride(from: widest, through: widths.lowerBound, by: -1) {
        guard counts.count < mostScalings else { return counts }
        let count = height * width
        guard count >= ByteMicrokernels.averagedCounts.lowerBound else { break }
        if !counts.contains(count) { counts.append(count) }
      }
    }
    return counts
  }

  /// How many taps of windows along `axis` lie in the image, as far as that matters.
  private static func tapCounts(_ axis: WindowAxis) -> ClosedRange<Int> {
    let most = min(axis.window, axis.input, ByteMicrokernels.averagedCounts.upperBound)
    guard axis.output > 0, most > 0 else { return 1...1 }
    let ends = [0, axis.output - 1].map { axis.taps(from: axis.origin($0)).count }
    return min(max(ends[0], 1), max(ends[1], 1), most)...most
  }

  func blockCount(workerCount: Int) -> Int { lines.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    unsafe lines.forEachRun(of: frame, elementSize: 1, workerCount: workerCount, next) {
      windows, first in
      if let scaling = scalings.first(where: { $0.count == first.count })?.scaling {
        unsafe kernels.pool(ByteAverageLine(windows, scaling))
      } else if isSigned {
        unsafe average(windows, as: Int8.self)
      } else {
        unsafe average(windows, as: UInt8.self)
      }
    }
  }

  /// The averages of windows of any size, one by one.
  private func average<Quantized: FixedWidthInteger>(_ windows: PoolLine, as _: Quantized.Type) {
    let depth = unsafe windows.pixelSize
    let division = unsafe RoundedDivision(by: windows.rowCount * windows.columnCount)
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: depth) { buffer in
      guard let sums = buffer.baseAddress else { return }
      for window in unsafe 0..<windows.count {
        unsafe sums.update(repeating: 0, count: depth)
        for row in unsafe 0..<windows.rowCount {
          for column in unsafe 0..<windows.columnCount {
            let start = unsafe window * windows.step + row * windows.rowStep + column * depth
            let pixel = unsafe (windows.input + start).assumingMemoryBound(to: Quantized.self)
            // At most 2^22 quantized values of 8 bits: no overflow.
            for channel in 0..<depth { unsafe sums[channel] &+= Int32(pixel[channel]) }
          }
        }
        let results = unsafe (windows.output + window * depth)
          .assumingMemoryBound(to: Quantized.self)
        for channel in 0..<depth {
          let average = unsafe division.quotient(sums[channel])
          unsafe results[channel] = Quantized(clamping: min(max(average, lowest), highest))
        }
      }
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
