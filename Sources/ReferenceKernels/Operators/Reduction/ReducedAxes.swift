// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

/// Which axes of an input a node reduces, and how its elements are walked.
///
/// Neighboring axes that are both kept or both reduced are merged. The elements that go into one
/// result are visited in the order in which they are stored, as TFLite's loops do: float sums
/// depend on it.
package struct ReducedAxes: Sendable {
  /// One loop: a length and the distance of neighbors in the input.
  package struct Loop: Sendable, Hashable {
    /// How many steps.
    package let length: Int
    /// How far apart they lie.
    package let stride: Int
  }

  /// The output's shape.
  package let shape: Shape
  /// The loops over results, outermost first.
  package let kept: [Loop]
  /// The loops over the elements of one result, outermost first.
  package let reduced: [Loop]
  /// How many elements go into one result.
  package let count: Int
  /// Whether every axis is reduced.
  package let isComplete: Bool
  /// Whether the input has no elements.
  package let isEmpty: Bool

  /// The axes that input 1 of a node names, an int32 tensor; negative ones count from the end and
  /// repeated ones count once.
  init(_ node: PrepareContext, keepsDimensions: Bool) throws(KernelError) {
    try node.expect(inputs: 2...2)
    let input = try node.input(0).shape
    try node.input(1).expect(.int32, .input(1))
    var reducedAxes = Set<Int>()
    // The axes of a scalar are not looked at.
    for axis in try node.integers(1) where input.rank > 0 {
      reducedAxes.insert(try input.axis(axis, .input(1)))
    }
    var dimensions: [Int] = []
    for axis in 0..<input.rank {
      if !reducedAxes.contains(axis) {
        dimensions.append(input[axis])
      } else if keepsDimensions {
        dimensions.append(1)
      }
    }
    shape = try Shape.checked(dimensions)
    kept = Self.loops(input, input.strides) { !reducedAxes.contains($0) }
    reduced = Self.loops(input, input.strides) { reducedAxes.contains($0) }
    count = reducedAxes.reduce(1) { $0 * input[$1] }
    isComplete = reducedAxes.count == input.rank
    isEmpty = input.elementCount == 0
  }

  private static func loops(
    _ shape: Shape, _ strides: [Int], where isIncluded: (Int) -> Bool
  ) -> [Loop] {
    var loops: [Loop] = []
    for axis in 0..<shape.rank where isIncluded(axis) && shape[axis] != 1 {
      if let last = loops.last, last.stride == strides[axis] * shape[axis] {
        loops[loops.count - 1] = Loop(length: last.length * shape[axis], stride: strides[axis])
      } else {
        loops.append(Loop(length: shape[axis], stride: strides[axis]))
      }
    }
    return loops
  }
}

/// A walk over the offsets that nested loops visit: `while walk.next() { … walk.offset … }`.
struct LoopWalk {
  private let loops: [ReducedAxes.Loop]
  private var indices: [Int]
  private var started = false

  /// The current offset.
  private(set) var offset = 0

  /// The walk over `loops`, outermost first.
  init(_ loops: [ReducedAxes.Loop]) {
    self.loops = loops
    indices = [Int](repeating: 0, count: loops.count)
  }

  /// Goes to the next offset; false after the last, after which the walk starts again.
  mutating func next() -> Bool {
    guard started else {
      started = !loops.contains { $0.length == 0 }
      return started
    }
    for axis in stride(from: loops.count - 1, through: 0, by: -1) {
      indices[axis] += 1
      offset += loops[axis].stride
      if indices[axis] < loops[axis].length { return true }
      offset -= loops[axis].stride * loops[axis].length
      indices[axis] = 0
    }
    started = false
    return false
  }
}
