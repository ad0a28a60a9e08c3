// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `TOPK_V2` of floats with int32 indices: the same elements as the reference kernel, which sorts
/// whole rows.
///
/// An element and its index become one integer, the smaller the earlier the element is in the
/// result. Candidates are collected; whenever there are twice as many as results, the first half
/// of them stays, and later elements behind the last of these cost one comparison.
final class LargestOfRows: Kernel {
  /// A block of elements, which are compared at once.
  private typealias Lanes = SIMD16<Float>
  /// Elements of a group, of which the greatest is looked for first.
  private static let groupLength = 16

  private let rows: TopRows

  /// The search of `loop`; nil where indices are not int32.
  init?(_ loop: TopKLoop<Float>) {
    guard !loop.rows.indicesAreInt16 else { return nil }
    rows = loop.rows
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * rows.count) { keys in
      guard let keys = keys.baseAddress else { return }
      unsafe rows.forEachRow(of: frame, as: Float.self) { row, elements, indices in
        unsafe findFirst(of: row, keys)
        for place in 0..<rows.count {
          let index = unsafe Int(keys[place] & 0xFFFF_FFFF)
          unsafe elements[place] = row[index]
          unsafe indices[place] = Int32(truncatingIfNeeded: index)
        }
      }
    }
  }

  /// What sorts an element of a row before others: greater ones first, then earlier ones, and NaN
  /// last.
  @inline(__always)
  private static func key(_ element: Float, _ index: Int) -> UInt64 {
    // Both zeros are equal.
    let bits = (element + 0).bitPattern
    let ascending = bits >> 31 == 0 ? bits | 0x8000_0000 : ~bits
    let place = element == element ? ~ascending : .max
    return UInt64(place) << 32 | UInt64(UInt32(truncatingIfNeeded: index))
  }

  /// Writes the keys of a row's results, sorted, to the first places of `keys`, which has room for
  /// twice as many.
  private func findFirst(of row: UnsafePointer<Float>, _ keys: UnsafeMutablePointer<UInt64>) {
    let capacity = 2 * rows.count
    var (count, last) = (0, UInt64.max)
    // Elements below this are behind the last candidate; none is below NaN.
    var least = unsafe leastOfGroups(row, keys)
    var start = 0
    while start < rows.rowLength {
      let block = start..<min(start + Lanes.scalarCount, rows.rowLength)
      start = block.upperBound
      let isWhole = block.count == Lanes.scalarCount
      if isWhole, unsafe Self.isBelow(least, row + block.lowerBound) { continue }
      for index in block where unsafe !(row[index] < least) {
        // Written in any case, for whether it is a candidate is hard to foresee.
        let key = unsafe Self.key(row[index], index)
        unsafe keys[count] = key
        count &+= key < last ? 1 : 0
        guard count == capacity else { continue }
        unsafe Self.bringForward(rows.count, of: count, keys)
        count = rows.count
        last = unsafe keys[count - 1]
        least = unsafe row[Int(last & 0xFFFF_FFFF)]
      }
    }
    if count > rows.count { unsafe Self.bringForward(rows.count, of: count, keys) }
    unsafe Self.sort(keys, count: rows.count)
  }

  /// A number that as many elements of a row are not below as there are results, for the greatest of
  /// each of more groups is an element; NaN where there are too few groups.
  ///
  /// Elements of a group are some vectors' lane, which `keys` has room for.
  private func leastOfGroups(
    _ row: UnsafePointer<Float>, _ keys: UnsafeMutablePointer<UInt64>
  ) -> Float {
    let step = Self.groupLength * Lanes.scalarCount
    let groupCount = min(rows.rowLength / step * Lanes.scalarCount, 2 * rows.count)
    guard groupCount > rows.count else { return .nan }
    var group = 0
    var start = unsafe UnsafeRawPointer(row)
    while group < groupCount {
      var greatest = Lanes(repeating: -.infinity)
      for part in 0..<Self.groupLength {
        let offset = part &* MemoryLayout<Lanes>.size
        let lanes = unsafe start.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
        greatest.replace(with: lanes, where: lanes .> greatest)
      }
      for lane in 0..<min(Lanes.scalarCount, groupCount - group) {
        unsafe keys[group + lane] = Self.key(greatest[lane], group + lane)
      }
      group += Lanes.scalarCount
      unsafe start += step * 4
    }
    unsafe Self.bringForward(rows.count, of: groupCount, keys)
    // What is lowest may be that of no element.
    let least = unsafe Self.element(keys[rows.count - 1])
    return least == -.infinity ? .nan : least
  }

  /// The element of a key that is a number.
  private static func element(_ key: UInt64) -> Float {
    let ascending = ~UInt32(truncatingIfNeeded: key >> 32)
    return Float(bitPattern: ascending >> 31 == 0 ? ~ascending : ascending & 0x7FFF_FFFF)
  }

  /// Whether a block of elements are all below `least`, or NaN, and `least` is a number.
  @inline(__always)
  private static func isBelow(_ least: Float, _ elements: UnsafePointer<Float>) -> Bool {
    guard least == least else { return false }
    let lanes = unsafe UnsafeRawPointer(elements).loadUnaligned(as: Lanes.self)
    return !any(lanes .>= least)
  }

  /// Reorders keys such that the `wanted` least come first, the greatest of these last.
  private static func bringForward(
    _ wanted: Int, of count: Int, _ keys: UnsafeMutablePointer<UInt64>
  ) {
    var (low, high) = (0, count - 1)
    let target = wanted - 1
    // Few orders of keys are bad for their medians; sorting bounds what these take.
    var budget = 16 * count
    while low < high {
      budget -= high - low
      guard budget > 0 else { return unsafe sort(keys, count: count) }
      let middle = unsafe median(keys[low], keys[(low + high) / 2], keys[high])
      var (left, right) = (low, high)
      while left <= right {
        while unsafe keys[left] < middle { left += 1 }
        while unsafe keys[right] > middle { right -= 1 }
        guard left <= right else { break }
        unsafe swap(&keys[left], &keys[right])
        left += 1
        right -= 1
      }
      if target <= right {
        high = right
      } else if target >= left {
        low = left
      } else {
        return
      }
    }
  }

  private static func sort(_ keys: UnsafeMutablePointer<UInt64>, count: Int) {
    var keys = unsafe UnsafeMutableBufferPointer(start: keys, count: count)
    unsafe keys.sort()
  }

  private static func median(_ a: UInt64, _ b: UInt64, _ c: UInt64) -> UInt64 {
    max(min(a, b), min(max(a, b), c))
  }
}
