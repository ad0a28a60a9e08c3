// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

/// The index of a `STRIDED_SLICE`: entries, and masks that say how to read them.
struct SliceIndex {
  private let options: StridedSliceOptions
  private let begins: [Int]
  private let ends: [Int]
  private let strides: [Int]

  /// What is taken along one axis of the input, or the one element of an inserted axis.
  struct Range {
    /// The input's axis; nil for an inserted one.
    var axis: Int?
    /// The first index; 0 where nothing is taken.
    var begin = 0
    /// The distance of indices.
    var stride = 1
    /// How many indices there are.
    var count = 1
    /// Whether the output lacks the axis.
    var isRemoved = false
  }

  init(_ options: StridedSliceOptions, begins: [Int], ends: [Int], strides: [Int]) {
    self.options = options
    self.begins = begins
    self.ends = ends
    self.strides = strides
  }

  /// The range along each axis of an input of shape `shape` and each inserted axis, in order.
  func ranges(of shape: Shape) throws(KernelError) -> [Range] {
    let insertedCount = begins.indices.count {
      !options.ellipsisMask.hasBit($0) && options.newAxisMask.hasBit($0)
    }
    guard options.ellipsisMask.nonzeroBitCount <= 1 else {
      throw .invalid("more than one ellipsis")
    }
    let rank = shape.rank + insertedCount
    // The ellipsis covers `expanded + 1` locations of the result.
    let ellipsis = (0..<rank).first { options.ellipsisMask.hasBit($0) }
    let expanded = ellipsis.map { max(0, min(rank - begins.count, rank - $0 - 1)) } ?? 0

    var (ranges, axis) = ([Range](), 0)
    for location in 0..<rank {
      let covered = ellipsis.map { ($0...$0 + expanded).contains(location) } ?? false
      let isBehind = ellipsis.map { location > $0 } ?? false
      let entry = location - (isBehind ? expanded : 0)
      if !covered, entry < begins.count, options.newAxisMask.hasBit(entry) {
        ranges.append(Range(axis: nil))
        continue
      }
      guard axis < shape.rank else { throw .invalid("index of more than \(shape.rank) axes") }
      if covered || entry >= begins.count {
        ranges.append(Range(axis: axis, count: shape[axis]))
      } else {
        ranges.append(try range(entry, along: axis, length: shape[axis]))
      }
      axis += 1
    }
    return ranges
  }

  private func range(
    _ entry: Int, along axis: Int, length: Int
  ) throws(KernelError) -> Range {
    let stride = strides[entry]
    guard stride != 0, stride != Int(Int32.min) else {
      throw .invalid("stride \(stride)", .input(3))
    }
    let limits = stride > 0 ? 0...length : -1...length - 1
    let first = stride > 0 ? 0 : length - 1
    let begin =
      options.beginMask.hasBit(entry)
      ? first : begins[entry].wrapped(by: length).clamped(to: limits)
    if options.shrinkAxisMask.hasBit(entry) {
      guard stride > 0, begin < length else {
        throw .invalid("index \(begins[entry]) along axis \(axis) of length \(length)", .input(1))
      }
      return Range(axis: axis, begin: begin, count: 1, isRemoved: true)
    }
    let last = stride > 0 ? length : -1
    let offset = options.isOffset ? begin : 0
    let end =
      options.endMask.hasBit(entry)
      ? last : (ends[entry] + offset).wrapped(by: length).clamped(to: limits)
    let distance = stride > 0 ? end - begin : begin - end
    let count = distance <= 0 ? 0 : (distance - 1) / abs(stride) + 1
    return Range(axis: axis, begin: count == 0 ? 0 : begin, stride: stride, count: count)
  }
}

extension Int32 {
  /// Whether bit `position` is set; bits beyond the 32nd are not.
  fileprivate func hasBit(_ position: Int) -> Bool {
    position < 32 && UInt32(bitPattern: self) >> UInt32(position) & 1 == 1
  }
}

extension Int {
  /// The index itself, or counted from the end of an axis where it is negative.
  fileprivate func wrapped(by length: Int) -> Int { self < 0 ? self + length : self }

  /// The closest number in `limits`.
  func clamped(to limits: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, limits.lowerBound), limits.upperBound)
  }
}
