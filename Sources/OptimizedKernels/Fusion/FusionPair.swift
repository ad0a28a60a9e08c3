// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Two nodes, of which only the second reads the only output of the first.
package struct FusionPair {
  /// Where the second node has an input from.
  package enum Source: Sendable, Equatable {
    /// The first node's output.
    case result
    /// What the first node has as its input of this position, too.
    case input(Int)
    /// Neither.
    case other
  }

  /// What is computed first.
  package let first: PreparedNode
  /// What reads the result.
  package let second: PreparedNode
  /// Where each input of the second node comes from.
  package let sources: [Source]
  /// How many workers share the work of a node.
  package let workerCount: Int
  /// The inputs of the first node.
  package var firstInputs: [Fusion.Input] { first.inputs.indices.map { .first($0) } }

  /// A pair of these nodes.
  package init(
    _ first: PreparedNode, _ second: PreparedNode, sources: [Source], workerCount: Int = 1
  ) {
    self.workerCount = workerCount
    self.first = first
    self.second = second
    self.sources = sources
  }
}

/// One kernel for a pair of nodes, which gives the second one's outputs without the first one's.
package struct Fusion {
  /// An input of the kernel, as one of the pair's.
  package enum Input: Sendable, Equatable {
    /// The first node's input of this position.
    case first(Int)
    /// The second node's input of this position.
    case second(Int)
  }

  /// The kernel, with its scratch.
  package let kernel: KernelSet.OptimizedKernel
  /// The inputs that the kernel takes, in order.
  package let inputs: [Input]

  /// The computation of a pair by an optimized kernel that takes these inputs.
  package init(_ kernel: KernelSet.OptimizedKernel, inputs: [Input]) {
    self.kernel = kernel
    self.inputs = inputs
  }
}

extension KernelSet {
  /// Finds a kernel for a pair; nil where the rule does not apply.
  package typealias FusionRule = @Sendable (FusionPair, KernelSet, WeightCache) -> Fusion?

  /// The set that also computes pairs as `rule` has it, which must give the very same results as
  /// both kernels one after the other.
  package func fusing(_ rule: @escaping FusionRule) -> KernelSet {
    var set = self
    set.fusionRules.append(rule)
    return set
  }

  /// One kernel for both nodes of `pair`; nil where the set has none.
  package func fusion(of pair: FusionPair, weights: WeightCache) -> Fusion? {
    for rule in fusionRules {
      if let fusion = rule(pair, self, weights) { return fusion }
    }
    return nil
  }

  /// Whether the set computes any pairs as one.
  package var fusesNodes: Bool { !fusionRules.isEmpty }
}
