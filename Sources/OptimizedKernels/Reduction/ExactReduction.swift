// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Reductions of integers, whose results do not depend on the order of elements: the same as the
/// reference kernel's.
@safe
final class ExactReduction: BlockKernel {
  /// Elements that are reduced in a nanosecond, roughly.
  private static let elementsPerNanosecond = 8.0

  private let reduction: PlainReduction
  private let kernels: MicrokernelSet
  private let groups: ReducedGroups
  private let nanoseconds: Double
  /// Bytes of a result.
  private let resultSize: Int
  /// Writes the results of no elements.
  private let clear: @Sendable (UnsafeMutableRawPointer, _ count: Int) -> Void
  /// Makes output elements of results that lie side by side, and may overwrite those.
  private let finish:
    @Sendable (UnsafeMutableRawPointer, _ count: Int, UnsafeMutableRawPointer) -> Void

  /// The reduction of `axes`, which begins with `empty` and of whose results `finish` makes output
  /// elements; nil where nothing is reduced.
  ///
  /// Inlined, so that the types are known.
  @inline(__always)
  init?<Total: BitwiseCopyable & Sendable>(
    _ reduction: PlainReduction, _ axes: ReducedAxes, empty: Total, resultSize: Int,
    _ set: MicrokernelSet,
    finish: @escaping @Sendable (UnsafeMutableRawPointer, Int, UnsafeMutableRawPointer) -> Void
  ) {
    guard let groups = ReducedGroups(axes) else { return nil }
    self.reduction = reduction
    self.groups = groups
    self.resultSize = resultSize
    kernels = set
    nanoseconds =
      Double(axes.shape.elementCount) * Double(axes.count) / Self.elementsPerNanosecond
    unsafe clear = { unsafe $0.initializeMemory(as: Total.self, repeating: empty, count: $1) }
    unsafe self.finish = finish
  }

  func blockCount(workerCount: Int) -> Int {
    min(WorkShare.blockCount(nanoseconds: nanoseconds, workerCount: workerCount), groups.count)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blockCount = blockCount(workerCount: workerCount)
    unsafe ScratchMemory.use(ReducedGroups.mostResults * 4) { totals in
      while let block = next() {
        for group in share(block, of: blockCount, groups.count) {
          let results = groups.results(of: group)
          unsafe clear(totals, results.count)
          unsafe reduce(group, input, to: totals, count: results.count)
          unsafe finish(totals, results.count, output + results.lowerBound * resultSize)
        }
      }
    }
  }

  private func reduce(
    _ group: Int, _ input: UnsafeRawPointer, to totals: UnsafeMutableRawPointer, count: Int
  ) {
    let size = reduction.elementSize
    groups.forEachPass(of: group) { start in
      let first = unsafe input + start * size
      switch groups.form {
      case .rows(let length):
        unsafe kernels.reduceRows(
          ReducedRows(
            input: first, stride: length * size, rowCount: count, columnCount: length,
            totals: totals), reduction)
      case .columns(let rows):
        unsafe kernels.reduceColumns(
          ReducedRows(
            input: first, stride: rows.stride * size, rowCount: rows.length, columnCount: count,
            totals: totals), reduction)
      }
    }
  }
}

/// The results of a reduction in groups that lie side by side, and their elements in passes.
///
/// Elements that lie side by side belong to one result, or to neighboring ones.
private struct ReducedGroups: Sendable {
  /// The most results of a group: while they are computed, they stay in the first-level cache.
  static let mostResults = 2048
  /// The most rows of a group.
  private static let mostRows = 256

  /// What a pass reduces.
  enum Form {
    /// Rows of so many elements, one behind the other: each to a result.
    case rows(length: Int)
    /// The columns of rows.
    case columns(ReducedAxes.Loop)
  }

  /// What a pass reduces.
  let form: Form
  /// Groups in all.
  let count: Int
  /// The loops over results but for those that lie side by side.
  private let outer: [ReducedAxes.Loop]
  /// The loops over passes.
  private let passes: [ReducedAxes.Loop]
  private let passCount: Int
  /// Results that lie side by side.
  private let width: Int
  /// The groups that these are, and results of each.
  private let partCount: Int
  private let partWidth: Int
  /// Elements from one of them to the next.
  private let step: Int

  /// The groups of `axes`; nil where nothing is reduced.
  init?(_ axes: ReducedAxes) {
    guard !axes.isEmpty, axes.count > 1, let last = axes.reduced.last else { return nil }
    width = axes.kept.last?.length ?? 1
    outer = axes.kept.dropLast()
    passes = axes.reduced.dropLast()
    if axes.kept.last?.stride == 1 {
      (form, step, partWidth) = (.columns(last), 1, Self.mostResults)
    } else {
      // The rows of neighboring results lie one behind the other.
      (form, step, partWidth) = (.rows(length: last.length), last.length, Self.mostRows)
    }
    partCount = (width + partWidth - 1) / partWidth
    count = outer.reduce(partCount) { $0 * $1.length }
    passCount = passes.reduce(1) { $0 * $1.length }
  }

  /// The results of a group, by their places in the output.
  func results(of group: Int) -> Range<Int> {
    let (row, part) = group.quotientAndRemainder(dividingBy: partCount)
    let first = part * partWidth
    return row * width + first..<row * width + min(first + partWidth, width)
  }

  /// Calls `body` with where each pass of a group starts.
  @inline(__always)
  func forEachPass(of group: Int, _ body: (_ start: Int) -> Void) {
    let (row, part) = group.quotientAndRemainder(dividingBy: partCount)
    let first = offset(of: row, outer) + part * partWidth * step
    for pass in 0..<passCount { body(first + offset(of: pass, passes)) }
  }

  /// How far the step `index` of `loops` is from the first.
  private func offset(of index: Int, _ loops: [ReducedAxes.Loop]) -> Int {
    guard loops.count > 1 else { return index * (loops.first?.stride ?? 0) }
    var (rest, offset) = (index, 0)
    for loop in loops.reversed() {
      let (quotient, position) = rest.quotientAndRemainder(dividingBy: loop.length)
      offset += position * loop.stride
      rest = quotient
    }
    return offset
  }
}
