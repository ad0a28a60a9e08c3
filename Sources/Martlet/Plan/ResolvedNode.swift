// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// A node after planning.
struct ResolvedNode {
  /// What planning found.
  enum State {
    /// How it is computed.
    case prepared(PreparedNode)
    /// The outputs were computed and are constants now.
    case folded
    /// Types depend on values that only a run computes.
    case deferred
    /// It is computed together with the node of this index, which comes later.
    case joined(Int)
  }

  /// The index of the node in its subgraph.
  let index: Int
  /// What planning found.
  var state: State
}

/// How a node is computed, or several nodes as one.
///
/// An object, so that lists of nodes are copied without copying what these consist of.
final class PreparedNode: Sendable {
  /// The nodes, in order; the last is the one in whose place all are computed.
  let members: [Int]
  /// The kernel, with its scratch.
  let optimizedKernel: KernelSet.OptimizedKernel
  /// The tensors that the kernel reads; negative where an optional one is absent.
  let inputs: [Int]
  /// The tensors that the kernel writes.
  let outputs: [Int]
  /// The input whose bytes the only output repeats unchanged.
  let repeatedInput: Int?
  /// The reference kernel of a single node; nil for several.
  let reference: (any Kernel)?
  /// What the operator of the last node saw.
  let context: PrepareContext

  /// The node of this index, computed by its reference kernel.
  init(_ index: Int, _ node: ModelFile.Node, _ prepared: Prepared, _ context: PrepareContext) {
    members = [index]
    optimizedKernel = KernelSet.OptimizedKernel(prepared.kernel, scratch: prepared.scratch)
    (inputs, outputs) = (node.inputs, node.outputs)
    repeatedInput = prepared.repeatedInput
    reference = prepared.kernel
    self.context = context
  }

  /// `node`, computed by an optimized kernel.
  init(_ node: PreparedNode, by optimizedKernel: KernelSet.OptimizedKernel) {
    (members, inputs, outputs) = (node.members, node.inputs, node.outputs)
    (repeatedInput, reference, context) = (node.repeatedInput, node.reference, node.context)
    self.optimizedKernel = optimizedKernel
  }

  /// `first` and then `second`, computed as one by an optimized kernel that reads `inputs`.
  init(
    _ first: PreparedNode, _ second: PreparedNode, by optimizedKernel: KernelSet.OptimizedKernel,
    inputs: [Int]
  ) {
    members = (first.members + second.members).sorted()
    (outputs, context) = (second.outputs, second.context)
    (repeatedInput, reference) = (nil, nil)
    (self.optimizedKernel, self.inputs) = (optimizedKernel, inputs)
  }

  /// Whether the kernel is not the reference kernel.
  var isOptimized: Bool { optimizedKernel.kernel !== reference }
}
