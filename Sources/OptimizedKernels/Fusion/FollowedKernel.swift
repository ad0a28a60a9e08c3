// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// A kernel together with an element-wise one that works on each block of the output right after
/// it has been computed, while it is still in the cache.
///
/// Both compute what they would compute one after the other, so results are the same bit for bit.
final class FollowedKernel: RegionKernel, CompositeKernel {
  /// What follows.
  enum Follower: Sendable {
    /// A function of the elements.
    case function(any ElementKernel)
    /// An operation on the elements and those of another tensor of the same shape.
    case operation(any RowKernel, other: Int, isSwapped: Bool)
  }

  private let first: any RegionKernel
  private let follower: Follower
  private let elementSize: Int

  /// `first`, then `follower` on elements of `elementSize` bytes.
  init(_ first: any RegionKernel, _ follower: Follower, elementSize: Int) {
    self.first = first
    self.follower = follower
    self.elementSize = elementSize
  }

  var parts: [any Kernel] {
    switch follower {
    case .function(let kernel): [first, kernel]
    case .operation(let kernel, _, _): [first, kernel]
    }
  }

  var stages: [any LineStage] {
    guard case .function(let function) = follower, let last = first.stages.last else { return [] }
    return first.stages.dropLast() + [FollowedStage(first: last, function: function)]
  }

  func blockCount(workerCount: Int) -> Int { first.blockCount(workerCount: workerCount) }

  func begin(_ frame: borrowing TensorFrame) { first.begin(frame) }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    first.forEachRun(of: block, workerCount: workerCount, body)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let output = unsafe frame.outputAddress(0)
    switch follower {
    case .function(let kernel):
      compute(frame, workerCount: workerCount, next: next) { elements in
        unsafe kernel.compute(elements, output, output)
      }
    case .operation(let kernel, let other, let isSwapped):
      guard let other = unsafe frame.inputAddress(other) else { return }
      compute(frame, workerCount: workerCount, next: next) { elements in
        let offset = elements.lowerBound * elementSize
        let (mine, theirs) = unsafe (UnsafeRawPointer(output + offset), other + offset)
        unsafe kernel.compute(
          PlainRow(
            left: isSwapped ? theirs : mine, right: isSwapped ? mine : theirs,
            output: output + offset, count: elements.count))
      }
    }
  }

  /// Computes blocks of the first kernel, and has `follow` bring each run of their elements to the
  /// result.
  private func compute(
    _ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?,
    follow: (Range<Int>) -> Void
  ) {
    var computed: Int?
    // Who asks for the next block has done the last one.
    first.compute(frame, workerCount: workerCount) {
      if let computed { first.forEachRun(of: computed, workerCount: workerCount, follow) }
      computed = next()
      return computed
    }
  }
}
