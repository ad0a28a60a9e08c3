// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `ARG_MAX` and `ARG_MIN` along another axis than the innermost one: the same results as the
/// reference kernel.
///
/// The rows along the axis are cut into groups, whose extremes are found many columns at a time. Then
/// each column is sought in the first group that has its extreme.
final class ColumnExtremum: BlockKernel {
  /// Elements that are compared in a nanosecond, roughly.
  private static let elementsPerNanosecond = 8.0
  /// Bytes of the extremes of groups, unless these are many.
  private static let extremesSize = 1 << 15
  /// Columns that are searched together, at least.
  private static let leastColumns = 16

  private let loops: AxisLoops
  private let reduction: PlainReduction
  private let kernels: MicrokernelSet
  private let indexIsWide: Bool
  /// Rows of a group.
  private let groupLength: Int
  private let groupCount: Int
  /// Columns that are searched together.
  private let spanLength: Int
  /// How many spans of columns there are around the axis.
  private let spanCount: Int

  /// The search of `loop` among 8-bit quantized values; nil for others, and along the innermost axis.
  convenience init?<Quantized, Index>(
    _ loop: ArgMinMaxLoop<Quantized, Index>, _ set: MicrokernelSet
  ) where Quantized: FixedWidthInteger {
    guard Quantized.bitWidth == 8 else { return nil }
    let reduction: PlainReduction =
      if Quantized.isSigned {
        loop.isMaximum ? .signedByteMaximum : .signedByteMinimum
      } else {
        loop.isMaximum ? .byteMaximum : .byteMinimum
      }
    self.init(loop, reduction, set)
  }

  /// The search of `loop` among floats; nil along the innermost axis.
  convenience init?<Index>(_ loop: ArgMinMaxLoop<Float, Index>, _ set: MicrokernelSet) {
    self.init(loop, loop.isMaximum ? .floatMaximum : .floatMinimum, set)
  }

  private init?<Element, Index>(
    _ loop: ArgMinMaxLoop<Element, Index>, _ reduction: PlainReduction, _ set: MicrokernelSet
  ) {
    loops = loop.loops
    guard loops.innerCount > 1 else { return nil }
    self.reduction = reduction
    kernels = set
    indexIsWide = Index.bitWidth == 64
    groupLength = max(Int(Double(loops.length).squareRoot()), Self.leastColumns)
    groupCount = (loops.length + groupLength - 1) / groupLength
    // One row more has the extremes of all groups.
    let rowSize = (groupCount + 1) * reduction.elementSize
    spanLength = min(max(Self.extremesSize / rowSize, Self.leastColumns), loops.innerCount)
    spanCount = (loops.innerCount + spanLength - 1) / spanLength
  }

  func blockCount(workerCount: Int) -> Int {
    let elements = Double(loops.outerCount) * Double(loops.length) * Double(loops.innerCount)
    return min(
      WorkShare.blockCount(
        nanoseconds: elements / Self.elementsPerNanosecond, workerCount: workerCount),
      loops.outerCount * spanCount)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe IndexOutput(address: frame.outputAddress(0), isWide: indexIsWide)
    let blockCount = blockCount(workerCount: workerCount)
    unsafe ScratchMemory.use((groupCount + 1) * spanLength * reduction.elementSize) { extremes in
      while let block = next() {
        for span in share(block, of: blockCount, loops.outerCount * spanCount) {
          let (outer, part) = span.quotientAndRemainder(dividingBy: spanCount)
          let first = part * spanLength
          let start = outer * loops.length * loops.innerCount + first
          unsafe search(
            input + start * reduction.elementSize,
            count: min(spanLength, loops.innerCount - first), extremes, output,
            at: outer * loops.innerCount + first)
        }
      }
    }
  }

  private func search(
    _ input: UnsafeRawPointer, count: Int, _ extremes: UnsafeMutableRawPointer,
    _ output: IndexOutput, at position: Int
  ) {
    switch reduction {
    case .floatMaximum:
      unsafe search(input, count, extremes, output, at: position, from: -Float.infinity)
    case .floatMinimum:
      unsafe search(input, count, extremes, output, at: position, from: Float.infinity)
    case .signedByteMaximum:
      unsafe search(input, count, extremes, output, at: position, from: Int8.min)
    case .signedByteMinimum:
      unsafe search(input, count, extremes, output, at: position, from: Int8.max)
    case .byteMaximum: unsafe search(input, count, extremes, output, at: position, from: UInt8.min)
    default: unsafe search(input, count, extremes, output, at: position, from: UInt8.max)
    }
  }

  /// Searches `count` columns, whose indices go to `position` and behind it; `worst` is what no element is worse than.
  @inline(__always)
  private func search<Element: Equatable & BitwiseCopyable>(
    _ address: UnsafeRawPointer, _ count: Int, _ memory: UnsafeMutableRawPointer,
    _ output: IndexOutput, at position: Int, from worst: Element
  ) {
    let input = unsafe address.assumingMemoryBound(to: Element.self)
    let extremes = unsafe memory.initializeMemory(
      as: Element.self, repeating: worst, count: (groupCount + 1) * count)
    let best = unsafe extremes + groupCount * count
    for group in 0..<groupCount {
      let first = group * groupLength
      unsafe reduce(
        input + first * loops.innerCount, min(groupLength, loops.length - first),
        stride: loops.innerCount, count, to: extremes + group * count)
    }
    unsafe reduce(extremes, groupCount, stride: count, count, to: best)
    for column in 0..<count {
      let index = unsafe firstIndex(of: best[column], input + column, extremes + column, count)
      unsafe output.store(index, at: position + column)
    }
  }

  private func reduce<Element>(
    _ rows: UnsafePointer<Element>, _ rowCount: Int, stride: Int, _ count: Int,
    to totals: UnsafeMutablePointer<Element>
  ) {
    unsafe kernels.reduceColumns(
      ReducedRows(
        input: rows, stride: stride * MemoryLayout<Element>.size, rowCount: rowCount,
        columnCount: count, totals: totals), reduction)
  }

  /// Where a column first has its extreme: nowhere if it has nothing but NaN, which counts as the
  /// first place.
  @inline(__always)
  private func firstIndex<Element: Equatable>(
    of best: Element, _ column: UnsafePointer<Element>, _ extremes: UnsafePointer<Element>,
    _ count: Int
  ) -> Int {
    for group in 0..<groupCount where unsafe extremes[group * count] == best {
      let first = group * groupLength
      for row in first..<min(first + groupLength, loops.length)
      where unsafe column[row * loops.innerCount] == best {
        return row
      }
    }
    return 0
  }
}
