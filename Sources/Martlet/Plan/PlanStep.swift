// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
package import ReferenceKernels
package import Tensors

/// One node of a plan.
package enum PlanStep {
  /// The node was computed while planning; its outputs are constants.
  case folded(node: Int)
  /// The output shares its input's memory; nothing needs to be done.
  case shared(node: Int)
  /// The node is computed by the step of another one, which comes later.
  case joined(node: Int, to: Int)
  /// The node is prepared and its tensors have places.
  case ready(ReadyStep)
  /// The node's types depend on values that only a run computes.
  case deferred(node: Int)

  /// The index of the node in its subgraph.
  package var node: Int {
    switch self {
    case .folded(let node), .shared(let node), .joined(let node, _), .deferred(let node): node
    case .ready(let step): step.node
    }
  }
}

/// A prepared node, or several that are computed as one, with its tensors.
package final class ReadyStep: Sendable {
  /// The index of the node in its subgraph.
  package let node: Int
  /// The nodes that are computed together, this one being the last.
  package let members: [Int]
  /// What computes them.
  package let kernel: any Kernel
  /// The same, where its work falls into blocks that threads can share.
  let blockKernel: (any BlockKernel)?
  /// Whether the kernel is an optimized kernel for the reference kernel.
  package let isOptimized: Bool
  /// Its tensors.
  package let frame: TensorFrame

  init(
    node: Int, members: [Int], _ optimizedKernel: KernelSet.OptimizedKernel, isOptimized: Bool,
    frame: consuming TensorFrame
  ) {
    self.node = node
    self.members = members
    kernel = optimizedKernel.kernel
    blockKernel = optimizedKernel.blocks
    self.isOptimized = isOptimized
    self.frame = frame
  }
}
