// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Means and sums whose results lie side by side in the input, as channels do.
///
/// Rows are added to many results at a time. Each result takes its elements in the reference
/// kernel's order, so the results are the same bit for bit.
final class ColumnMean: BlockKernel {
  /// Results of a block: their running sums stay in the first-level cache.
  private static let blockWidth = 128

  /// Some neighbouring results.
  private struct Part {
    let input: Int
    let output: Int
    let count: Int
  }

  private let body: @Sendable (borrowing TensorFrame, Part) -> Void
  /// How often all the columns come again, and how far apart in the input.
  private let partCount: Int
  private let partStride: Int
  private let columnCount: Int

  /// The means of `loop`; nil where results are not neighbours.
  convenience init?(_ loop: ReductionLoop<FloatMeanReduction>) {
    let arithmetic = loop.arithmetic
    self.init(loop.axes) { frame, part, rows in
      Self.reduce(frame, part, rows, from: 0 as Float) { (sum: Float, element: Float) in
        sum + element
      } finish: {
        arithmetic.finish($0)
      }
    }
  }

  /// The means or sums of `loop`; nil where results are not neighbours.
  convenience init?<Code: TensorElement & FixedWidthInteger>(
    _ loop: ReductionLoop<QuantizedMeanReduction<Code>>
  ) {
    let arithmetic = loop.arithmetic
    self.init(loop.axes) { frame, part, rows in
      Self.reduce(frame, part, rows, from: 0 as Int32) { (sum: Int32, element: Code) in
        sum &+ Int32(truncatingIfNeeded: element)
      } finish: {
        arithmetic.finish($0)
      }
    }
  }

  private init?(
    _ axes: ReducedAxes,
    _ body: @escaping @Sendable (borrowing TensorFrame, Part, ReducedAxes.Loop) -> Void
  ) {
    guard !axes.isEmpty, let columns = axes.kept.last, columns.stride == 1, axes.kept.count <= 2,
      axes.reduced.count == 1, let rows = axes.reduced.first
    else { return nil }
    (partCount, partStride) =
      axes.kept.count == 2 ? (axes.kept[0].length, axes.kept[0].stride) : (1, 0)
    columnCount = columns.length
    self.body = { frame, part in body(frame, part, rows) }
  }

  private var blocksPerPart: Int { (columnCount + Self.blockWidth - 1) / Self.blockWidth }

  func blockCount(workerCount: Int) -> Int { partCount * blocksPerPart }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    while let block = next() {
      let (index, column) = block.quotientAndRemainder(dividingBy: blocksPerPart)
      let first = column * Self.blockWidth
      body(
        frame,
        Part(
          input: index * partStride + first, output: index * columnCount + first,
          count: min(Self.blockWidth, columnCount - first)))
    }
  }

  @inline(__always)
  private static func reduce<Element: BitwiseCopyable, Sum: BitwiseCopyable>(
    _ frame: borrowing TensorFrame, _ part: Part, _ rows: ReducedAxes.Loop, from zero: Sum,
    _ add: (Sum, Element) -> Sum, finish: (Sum) -> Element
  ) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Element.self) + part.input
    let output =
      unsafe frame.outputAddress(0).assumingMemoryBound(to: Element.self) + part.output
    unsafe withUnsafeTemporaryAllocation(of: Sum.self, capacity: Self.blockWidth) { buffer in
      guard let sums = buffer.baseAddress else { return }
      for column in 0..<part.count { unsafe sums[column] = zero }
      for row in 0..<rows.length {
        let elements = unsafe input + row * rows.stride
        for column in 0..<part.count {
          unsafe sums[column] = add(sums[column], elements[column])
        }
      }
      for column in 0..<part.count { unsafe output[column] = finish(sums[column]) }
    }
  }
}
