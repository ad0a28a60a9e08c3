// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `TOPK_V2` of floats with int32 indices: the same elements as the reference kernel, which sorts
/// whole rows.
///
/// The best elements so far form a heap with the worst of them on top; an element that does not
/// beat that one costs one comparison.
final class LargestOfRows: Kernel {
  /// An element and its position.
  private struct Entry {
    let element: Float
    let index: Int32

    /// Whether the element is before another in the result.
    @inline(__always)
    func goesBefore(_ other: Entry) -> Bool {
      if element > other.element { return true }
      if element < other.element { return false }
      // A number that is not equal to itself is NaN, which goes last.
      let (isNumber, otherIsNumber) = (element == element, other.element == other.element)
      return isNumber == otherIsNumber ? index < other.index : isNumber
    }
  }

  private let rows: TopRows

  /// The search of `loop`; nil where indices are not int32.
  init?(_ loop: TopKLoop<Float>) {
    guard !loop.rows.indicesAreInt16 else { return nil }
    rows = loop.rows
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    var elements = frame.output(0, as: Float.self)
    var indices = frame.output(1, as: Int32.self)
    guard rows.count > 0 else { return }
    var best: [Entry] = []
    best.reserveCapacity(rows.count)
    var target = 0
    for start in stride(from: 0, to: input.count, by: rows.rowLength) {
      let row = input.extracting(start..<start + rows.rowLength)
      best.removeAll(keepingCapacity: true)
      for index in row.indices {
        let entry = Entry(element: row[index], index: Int32(truncatingIfNeeded: index))
        if best.count < rows.count {
          best.append(entry)
          if best.count == rows.count { Self.makeHeap(&best) }
        } else if entry.goesBefore(best[0]) {
          best[0] = entry
          Self.sink(0, in: &best)
        }
      }
      best.sort { $0.goesBefore($1) }
      for entry in best {
        elements[target] = entry.element
        indices[target] = entry.index
        target += 1
      }
    }
  }

  private static func makeHeap(_ entries: inout [Entry]) {
    for location in (0..<entries.count / 2).reversed() { sink(location, in: &entries) }
  }

  /// Moves the entry at `location` down until none below it goes behind it.
  private static func sink(_ location: Int, in entries: inout [Entry]) {
    let entry = entries[location]
    var location = location
    while 2 * location + 1 < entries.count {
      var child = 2 * location + 1
      if child + 1 < entries.count, entries[child].goesBefore(entries[child + 1]) { child += 1 }
      guard entry.goesBefore(entries[child]) else { break }
      entries[location] = entries[child]
      location = child
    }
    entries[location] = entry
  }
}
