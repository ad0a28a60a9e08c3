// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Maxima of 8-bit quantized values: the same as the reference kernel's.
///
/// The rows of windows are taken first, a whole row of the image at once, then neighboring pixels.
final class ByteMaxima: BlockKernel {
  /// Fewer channels are too short a row for windows that do not move by one pixel.
  private static let leastDepth = 16

  private let nest: Pool2DNest
  private let operation: PlainOperation
  /// What results are limited to; nil where nothing limits them.
  private let limits: ClosedRange<Int32>?
  private let lines: PoolLines
  private let set: MicrokernelSet

  /// The maxima of `loop`; nil for other than 8-bit quantized values, and where windows lie beyond
  /// the image or are better taken one by one.
  init?<Element: FixedWidthInteger>(
    _ loop: Pool2DLoop<QuantizedMaximum<Element>>, _ set: MicrokernelSet
  ) {
    let (nest, range) = (loop.nest, loop.arithmetic.range)
    let axes = [nest.geometry.rows, nest.geometry.columns]
    guard Element.bitWidth == 8, range.lowest <= range.highest,
      nest.depth >= Self.leastDepth || axes[1].stride == 1,
      axes.allSatisfy({ axis in
        axis.output > 0 && !axis.taps(from: axis.origin(0)).isEmpty
          && !axis.taps(from: axis.origin(axis.output - 1)).isEmpty
      })
    else { return nil }
    self.nest = nest
    operation = Element.isSigned ? .signedByteMaximum : .byteMaximum
    let isWhole = range.lowest <= Int32(Element.min) && range.highest >= Int32(Element.max)
    limits = isWhole ? nil : range.lowest...range.highest
    lines = PoolLines(nest)
    self.set = set
  }

  func blockCount(workerCount: Int) -> Int { lines.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let (rows, columns) = (nest.geometry.rows, nest.geometry.columns)
    let (inputStep, outputStep) = (columns.input * nest.depth, columns.output * nest.depth)
    let blocks = lines.blocks(workerCount: workerCount)
    unsafe ScratchMemory.use(inputStep) { buffer in
      while let block = next() {
        for line in blocks.lines(block) {
          let (image, row) = line.quotientAndRemainder(dividingBy: rows.output)
          let first = unsafe input + image * rows.input * inputStep
          let pixels = unsafe maximaOfRows(first, row, inputStep, buffer)
          let target = unsafe output + line * outputStep
          unsafe takeColumns(pixels, to: target)
          if limits != nil { unsafe limit(target, count: outputStep) }
        }
      }
    }
  }

  /// The greater of two rows' elements.
  private func take(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, to output: UnsafeMutableRawPointer,
    _ count: Int
  ) {
    unsafe set.compute(
      operation, PlainRow(left: left, right: right, output: output, count: count))
  }

  /// The maxima of the rows under the windows of an output row: in `buffer`, unless it is one row.
  private func maximaOfRows(
    _ image: UnsafeRawPointer, _ row: Int, _ step: Int, _ buffer: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    let origin = nest.geometry.rows.origin(row)
    let taps = nest.geometry.rows.taps(from: origin)
    guard let firstTap = taps.first else { return unsafe image }
    var result = unsafe image + (origin + firstTap) * step
    for tap in taps.dropFirst() {
      unsafe take(result, image + (origin + tap) * step, to: buffer, step)
      unsafe result = UnsafeRawPointer(buffer)
    }
    return unsafe result
  }

  /// The maxima of the pixels under each window.
  private func takeColumns(_ pixels: UnsafeRawPointer, to output: UnsafeMutableRawPointer) {
    let (axis, depth) = (nest.geometry.columns, nest.depth)
    var column = 0
    while column < axis.output {
      let origin = axis.origin(column)
      let taps = axis.taps(from: origin)
      // Windows that move by one pixel within the image are taken at once.
      let room = axis.input - origin - axis.window
      let count =
        axis.stride == 1 && origin >= 0 && room >= 0
        ? min(room + 1, axis.output - column) : 1
      let target = unsafe output + column * depth
      if let firstTap = taps.first {
        var source = unsafe pixels + (origin + firstTap) * depth
        if taps.count == 1 {
          unsafe target.copyMemory(from: source, byteCount: count * depth)
        }
        for tap in taps.dropFirst() {
          unsafe take(source, pixels + (origin + tap) * depth, to: target, count * depth)
          unsafe source = UnsafeRawPointer(target)
        }
      }
      column += count
    }
  }

  private func limit(_ results: UnsafeMutableRawPointer, count: Int) {
    guard let limits else { return }
    if operation == .signedByteMaximum {
      let values = unsafe results.assumingMemoryBound(to: Int8.self)
      let (lowest, highest) = (Int8(clamping: limits.lowerBound), Int8(clamping: limits.upperBound))
      for index in 0..<count { unsafe values[index] = min(max(values[index], lowest), highest) }
    } else {
      let values = unsafe results.assumingMemoryBound(to: UInt8.self)
      let (lowest, highest) = (
        UInt8(clamping: limits.lowerBound), UInt8(clamping: limits.upperBound)
      )
      for index in 0..<count { unsafe values[index] = min(max(values[index], lowest), highest) }
    }
  }
}
