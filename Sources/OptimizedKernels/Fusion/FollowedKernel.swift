// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// A kernel together with element-wise ones that work on each block of the output right after it has
/// been computed, while it is still in the cache.
///
/// They compute what they would compute one after the other, so results are the same bit for bit.
@safe
final class FollowedKernel: RegionKernel, CompositeKernel {
  private let first: any RegionKernel
  private let followers: [Follower]
  /// The followers, to which runs count no references.
  private let uncountedFollowers: [UncountedFollower]
  /// The elements, where one worker computes them as one block.
  private let blockElements: Range<Int>?

  /// `first`, then `follower`.
  init(_ first: any RegionKernel, _ follower: Follower) {
    if let chain = first as? FollowedKernel {
      (self.first, followers) = (chain.first, chain.followers + [follower])
      blockElements = chain.blockElements
    } else {
      (self.first, followers) = (first, [follower])
      blockElements = Self.onlyBlock(of: first)
    }
    unsafe uncountedFollowers = followers.map { unsafe UncountedFollower($0) }
  }

  /// The elements of the only block that one worker computes, nil where there are several or where
  /// they do not lie side by side from the first on.
  private static func onlyBlock(of kernel: any RegionKernel) -> Range<Int>? {
    guard kernel.blockCount(workerCount: 1) == 1 else { return nil }
    var (end, isDense) = (0, true)
    kernel.forEachRun(of: 0, workerCount: 1) { elements in
      isDense = isDense && elements.lowerBound == end
      end = elements.upperBound
    }
    return isDense ? 0..<end : nil
  }

  var parts: [any Kernel] { [first] + followers.map(\.kernel) }

  var stages: [any LineStage] {
    var stages = first.stages
    for follower in followers {
      guard case .function(let function) = follower, let last = stages.popLast() else { return [] }
      stages.append(FollowedStage(first: last, function: function.kernel))
    }
    return stages
  }

  func blockCount(workerCount: Int) -> Int { first.blockCount(workerCount: workerCount) }

  func begin(_ frame: borrowing TensorFrame) { first.begin(frame) }

  func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    first.forEachRun(of: block, workerCount: workerCount, body)
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    guard let blockElements else { return try evaluateBlocks(frame) }
    try first.evaluate(frame)
    follow(frame, blockElements)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    var computed: Int?
    // Who asks for the next block has done the last one.
    first.compute(frame, workerCount: workerCount) {
      if let computed {
        first.forEachRun(of: computed, workerCount: workerCount) { follow(frame, $0) }
      }
      computed = next()
      return computed
    }
  }

  /// Brings a run of elements of the first kernel to the result.
  private func follow(_ frame: borrowing TensorFrame, _ elements: Range<Int>) {
    let output = unsafe frame.outputAddress(0)
    for index in unsafe uncountedFollowers.indices {
      switch unsafe uncountedFollowers[index] {
      case .function(let function):
        unsafe function._withUnsafeGuaranteedRef { unsafe $0.apply(elements, output) }
      case .operation(let operation):
        unsafe operation._withUnsafeGuaranteedRef { unsafe $0.apply(frame, elements, output) }
      }
    }
  }
}

/// An element-wise kernel that works on the output of another.
enum Follower: Sendable {
  /// A function of the elements.
  case function(FollowingFunction)
  /// An operation on the elements and those of another tensor.
  case operation(FollowingOperation)

  /// The kernel.
  var kernel: any Kernel {
    switch self {
    case .function(let function): function.kernel
    case .operation(let operation): operation.kernel
    }
  }
}

/// A follower that somebody else keeps.
@unsafe
private enum UncountedFollower {
  case function(Unmanaged<FollowingFunction>)
  case operation(Unmanaged<FollowingOperation>)

  init(_ follower: Follower) {
    switch follower {
    case .function(let function): unsafe self = unsafe .function(.passUnretained(function))
    case .operation(let operation): unsafe self = unsafe .operation(.passUnretained(operation))
    }
  }
}

/// A function of the elements of another kernel's output.
final class FollowingFunction: Sendable {
  /// The function.
  let kernel: any ElementKernel

  /// The function of `kernel`.
  init(_ kernel: any ElementKernel) { self.kernel = kernel }

  /// Brings a run of the elements at `output` to the result.
  func apply(_ elements: Range<Int>, _ output: UnsafeMutableRawPointer) {
    unsafe kernel.compute(elements, output, output)
  }
}

/// An operation on the elements of another kernel's output and those of a tensor of the same shape.
final class FollowingOperation: Sendable {
  /// The operation.
  let kernel: any RowKernel
  private let other: Int
  private let isSwapped: Bool
  private let elementSize: Int

  /// The operation of `kernel` with the input at the position `other`, which is its first operand if
  /// `isSwapped`.
  init(_ kernel: any RowKernel, other: Int, isSwapped: Bool) {
    self.kernel = kernel
    self.other = other
    self.isSwapped = isSwapped
    elementSize = kernel.elementSize
  }

  /// Brings a run of the elements at `output` to the result.
  func apply(
    _ frame: borrowing TensorFrame, _ elements: Range<Int>, _ output: UnsafeMutableRawPointer
  ) {
    guard let other = unsafe frame.inputAddress(other) else { return }
    let offset = elements.lowerBound * elementSize
    let (mine, theirs) = unsafe (UnsafeRawPointer(output + offset), other + offset)
    unsafe kernel.compute(
      PlainRow(
        left: isSwapped ? theirs : mine, right: isSwapped ? mine : theirs,
        output: output + offset, count: elements.count))
  }
}
