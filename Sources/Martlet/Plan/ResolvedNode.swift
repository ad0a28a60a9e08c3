// SPDX-License-Identifier: Apache-2.0

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
struct PreparedNode {
  /// The nodes, in order; the last is the one in whose place all are computed.
  var members: [Int]
  /// The kernel, with its scratch.
  var standIn: KernelSet.StandIn
  /// The tensors that the kernel reads; negative where an optional one is absent.
  var inputs: [Int]
  /// The tensors that the kernel writes.
  let outputs: [Int]
  /// The input whose bytes the only output repeats unchanged.
  var repeatedInput: Int?
  /// The reference kernel of a single node; nil for several.
  var reference: (any Kernel)?
  /// What the operator of the last node saw.
  let context: PrepareContext

  /// Whether the kernel is not the reference kernel.
  var isStandIn: Bool { standIn.kernel !== reference }
}
