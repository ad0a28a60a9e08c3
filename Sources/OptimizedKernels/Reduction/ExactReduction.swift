// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// How elements become a result whatever their order.
protocol ExactRunning: Sendable {
  associatedtype Element: TensorElement
  /// A running result.
  associatedtype Total: Sendable

  /// The running result with one more element.
  func adding(_ element: Element, to total: Total) -> Total

  /// The running result with some elements more.
  func adding(_ elements: UnsafePointer<Element>, count: Int, to total: Total) -> Total
}

extension ExactRunning {
  @inline(__always)
  func adding(_ elements: UnsafePointer<Element>, count: Int, to total: Total) -> Total {
    var total = total
    for index in 0..<count { total = unsafe adding(elements[index], to: total) }
    return total
  }
}

/// The greatest of integers.
struct GreatestRunning<Element: TensorElement & FixedWidthInteger>: ExactRunning {
  @inline(__always)
  func adding(_ element: Element, to total: Element) -> Element { max(total, element) }
}

/// The least of integers.
struct LeastRunning<Element: TensorElement & FixedWidthInteger>: ExactRunning {
  @inline(__always)
  func adding(_ element: Element, to total: Element) -> Element { min(total, element) }
}

/// The sum of integers, modulo 2^32.
struct SumRunning<Element: TensorElement & FixedWidthInteger>: ExactRunning {
  @inline(__always)
  func adding(_ element: Element, to total: Int32) -> Int32 {
    total &+ Int32(truncatingIfNeeded: element)
  }

  @inline(__always)
  func adding(_ elements: UnsafePointer<Element>, count: Int, to total: Int32) -> Int32 {
    guard Element.bitWidth == 8 else {
      var total = total
      for index in 0..<count { total = unsafe adding(elements[index], to: total) }
      return total
    }
    // Signed bytes as unsigned numbers that are greater by 128.
    let sum = unsafe ByteRuns.sum(
      of: UnsafeRawPointer(elements), count: count, flip: Element.isSigned ? 0x80 : 0)
    return total &+ Int32(truncatingIfNeeded: sum &- (Element.isSigned ? 128 &* count : 0))
  }
}

/// Whether any truth value is true.
struct AnyRunning: ExactRunning {
  @inline(__always)
  func adding(_ element: BoolByte, to total: UInt8) -> UInt8 {
    unsafe unsafeBitCast(element, to: UInt8.self) | total
  }
}

/// Whether all truth values are true: the least byte is not 0.
struct AllRunning: ExactRunning {
  @inline(__always)
  func adding(_ element: BoolByte, to total: UInt8) -> UInt8 {
    unsafe min(unsafeBitCast(element, to: UInt8.self), total)
  }
}

/// Reductions of integers, whose results do not depend on the order of elements: the same as the
/// reference kernel's.
@safe
final class ExactReduction: BlockKernel {
  /// Elements that are reduced in a nanosecond, roughly.
  private static let elementsPerNanosecond = 4.0
  /// Rows of which each is a result that are reduced together.
  private static let rowStep = 256

  private let groupCount: Int
  private let nanoseconds: Double
  /// Computes a group of results from the input's and to the output's first byte.
  ///
  /// The loop is a closure of a function with known types: methods of generic classes are compiled
  /// once for all.
  private let reduce: @Sendable (Int, UnsafeRawPointer, UnsafeMutableRawPointer) -> Void

  /// The reduction of `axes`, which begins with `empty` and of whose running results `finish` makes
  /// some that lie side by side; nil where nothing is reduced.
  @inline(__always)
  init?<Running: ExactRunning>(
    _ running: Running, _ axes: ReducedAxes, empty: Running.Total, resultSize: Int,
    finish: @escaping @Sendable (UnsafePointer<Running.Total>, Int, UnsafeMutableRawPointer) -> Void
  ) {
    nanoseconds =
      Double(axes.shape.elementCount) * Double(axes.count) / Self.elementsPerNanosecond
    if let rowCount = axes.rowCount {
      let (rowLength, step) = (axes.count, Self.rowStep)
      groupCount = (rowCount + step - 1) / step
      unsafe reduce = { group, input, output in
        let elements = unsafe input.assumingMemoryBound(to: Running.Element.self)
        let rows = group * step..<min((group + 1) * step, rowCount)
        unsafe withUnsafeTemporaryAllocation(of: Running.Total.self, capacity: step) { totals in
          guard let totals = totals.baseAddress else { return }
          for row in rows {
            unsafe (totals + (row &- rows.lowerBound)).initialize(
              to: running.adding(elements + row &* rowLength, count: rowLength, to: empty))
          }
          unsafe finish(
            UnsafePointer(totals), rows.count, output + rows.lowerBound * resultSize)
        }
      }
      return
    }
    guard let groups = ReducedGroups(axes) else { return nil }
    groupCount = groups.count
    unsafe reduce = { group, input, output in
      let elements = unsafe input.assumingMemoryBound(to: Running.Element.self)
      let results = groups.results(of: group)
      unsafe withUnsafeTemporaryAllocation(of: Running.Total.self, capacity: results.count) {
        totals in
        guard let totals = totals.baseAddress else { return }
        unsafe totals.initialize(repeating: empty, count: results.count)
        groups.forEachPass(of: group) { start in
          if groups.length > 1 {
            unsafe totals[0] = running.adding(
              elements + start, count: groups.length, to: totals[0])
          } else {
            for index in 0..<results.count {
              unsafe totals[index] = running.adding(elements[start &+ index], to: totals[index])
            }
          }
        }
        unsafe finish(
          UnsafePointer(totals), results.count, output + results.lowerBound * resultSize)
      }
    }
  }

  func blockCount(workerCount: Int) -> Int {
    min(WorkShare.blockCount(nanoseconds: nanoseconds, workerCount: workerCount), groupCount)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let output = unsafe frame.outputAddress(0)
    let blockCount = blockCount(workerCount: workerCount)
    while let block = next() {
      for group in share(block, of: blockCount, groupCount) {
        unsafe reduce(group, input, output)
      }
    }
  }
}

/// The results of a reduction in groups that lie side by side, and their elements in passes.
///
/// Elements that lie side by side belong to one result, or to neighboring ones.
private struct ReducedGroups: Sendable {
  /// Results of a group: their running results stay in the first-level cache.
  private static let mostResults = 2048

  /// The loops over results but for those that lie side by side.
  private let outer: [ReducedAxes.Loop]
  /// The loops over passes.
  private let passes: [ReducedAxes.Loop]
  /// Results that lie side by side.
  private let width: Int
  /// Groups of them.
  private let partCount: Int
  /// Elements of a result that lie side by side.
  let length: Int
  /// Groups in all.
  let count: Int
  private let passCount: Int

  /// The groups of `axes`; nil where nothing is reduced.
  init?(_ axes: ReducedAxes) {
    guard !axes.isEmpty, axes.count > 1 else { return nil }
    if let last = axes.kept.last, last.stride == 1 {
      (width, length) = (last.length, 1)
      (outer, passes) = (axes.kept.dropLast(), axes.reduced)
    } else {
      guard let last = axes.reduced.last, last.stride == 1 else { return nil }
      (width, length) = (1, last.length)
      (outer, passes) = (axes.kept, axes.reduced.dropLast())
    }
    partCount = (width + Self.mostResults - 1) / Self.mostResults
    count = outer.reduce(partCount) { $0 * $1.length }
    passCount = passes.reduce(1) { $0 * $1.length }
  }

  /// The results of a group, by their places in the output.
  func results(of group: Int) -> Range<Int> {
    let (row, part) = group.quotientAndRemainder(dividingBy: partCount)
    let first = part * Self.mostResults
    return row * width + first..<row * width + min(first + Self.mostResults, width)
  }

  /// Calls `body` with where each pass of a group starts.
  @inline(__always)
  func forEachPass(of group: Int, _ body: (_ start: Int) -> Void) {
    let (row, part) = group.quotientAndRemainder(dividingBy: partCount)
    let first = offset(of: row, outer) + part * Self.mostResults
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
