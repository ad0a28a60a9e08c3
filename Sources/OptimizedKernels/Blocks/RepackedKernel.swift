// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Sums of products whose filter or bias is not part of the model, but given or computed in each run.
///
/// Each evaluation takes them for constants, makes the optimized kernel for these, and uses it once.
final class RepackedKernel: BlockKernel {
  /// Makes the kernel for a node whose weights are constant; nil where there is none.
  typealias Making = @Sendable (PrepareContext) -> KernelSet.OptimizedKernel?

  private let reference: any Kernel
  private let node: PrepareContext
  /// The inputs that are taken for constants.
  private let weights: [Int]
  private let make: Making
  /// What computes the evaluation that has begun: a kernel belongs to one plan, which evaluates it
  /// once at a time.
  private let current = ForkableMutex<OnceKernel?>(nil)

  /// The most bytes of a filter, with as many channels as the widest panel has.
  private static let filterByteLimit = 1 << 26
  private static let leastDepth = 64
  /// How many times the values that an operator may ask for a filter may be: packed forms are up to
  /// four times as large, and leave the rest of the memory to others.
  private static let valueMultiple = 4

  /// The kernel that repacks what `positions` name; nil where this is constant, or so large that
  /// the reference kernel, which needs no memory, is kept.
  init?(
    _ reference: any Kernel, _ node: PrepareContext, _ positions: ConvolutionPositions,
    outputDepth: Int, _ make: @escaping Making
  ) {
    weights = [positions.filter, positions.bias].filter {
      node.inputs.indices.contains($0) && node.inputs[$0]?.isConstant == false
    }
    guard !weights.isEmpty, outputDepth > 0,
      let byteCount = node.optionalInput(positions.filter)?.byteCount,
      byteCount / outputDepth <= Self.byteLimit(node) / max(outputDepth, Self.leastDepth)
    else { return nil }
    (self.reference, self.node, self.make) = (reference, node, make)
  }

  private static func byteLimit(_ node: PrepareContext) -> Int {
    min(filterByteLimit / valueMultiple, node.valueByteLimit) * valueMultiple
  }

  /// The kernel for what the weights are now.
  private func onceKernel(_ frame: borrowing TensorFrame) -> OnceKernel? {
    var values: [(position: Int, bytes: TensorBytes)] = []
    for position in weights {
      guard let bytes = frame.inputBytes(position) else { return nil }
      values.append((position, bytes))
    }
    return make(node.fixing(values)).map { OnceKernel($0) }
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    try evaluate(frame, by: onceKernel(frame))
  }

  /// Computes everything at once, by the reference kernel where there is no other.
  private func evaluate(
    _ frame: borrowing TensorFrame, by once: OnceKernel?
  ) throws(KernelError) {
    guard let once else { return try reference.evaluate(frame) }
    try once.kernel.evaluate(once.frame(frame))
  }

  func blockCount(workerCount: Int) -> Int { workerCount }

  func begin(_ frame: borrowing TensorFrame) {
    let once = onceKernel(frame)
    if let once { once.blocks?.begin(once.frame(frame)) }
    current.withLock { $0 = once }
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let once = current.withLock { $0 }
    guard let once, let kernel = once.blocks else {
      // One worker does everything. An error says that the run shall stop, and it sees that itself.
      while let block = next() {
        if block == 0 { try? evaluate(frame, by: once) }
      }
      return
    }
    let count = kernel.blockCount(workerCount: workerCount)
    var left = 0..<0
    kernel.compute(once.frame(frame), workerCount: workerCount) {
      guard frame.progress?.mustStop != true else { return nil }
      while left.isEmpty {
        guard let block = next() else { return nil }
        left = share(block, of: workerCount, count)
      }
      return left.removeFirst()
    }
  }

  func end(_ frame: borrowing TensorFrame) {
    let once = current.withLock { current in
      defer { current = nil }
      return current
    }
    if let once { once.blocks?.end(once.frame(frame)) }
  }
}

/// A kernel that is used for one evaluation, with memory of its own.
private struct OnceKernel: Sendable {
  let kernel: any Kernel
  let blocks: (any BlockKernel)?
  private let scratch: [TensorBytes]

  init(_ optimizedKernel: KernelSet.OptimizedKernel) {
    (kernel, blocks) = (optimizedKernel.kernel, optimizedKernel.blocks)
    scratch = optimizedKernel.scratch.map { TensorBytes(zeroed: $0) }
  }

  func frame(_ frame: borrowing TensorFrame) -> TensorFrame { frame.replacingScratch(scratch) }
}
