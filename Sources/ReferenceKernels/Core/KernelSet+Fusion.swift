// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// What computes a node, or several nodes as one.
package struct FusionPart {
  /// The kernel that would compute it, with its scratch.
  package let optimizedKernel: KernelSet.OptimizedKernel
  /// How many inputs the kernel takes.
  package let inputCount: Int
  /// The reference kernel of a single node; nil for several nodes.
  package let reference: (any Kernel)?
  /// What the operator of the last node saw when it was prepared.
  package let node: PrepareContext

  /// A part of these.
  package init(
    _ optimizedKernel: KernelSet.OptimizedKernel, inputCount: Int, reference: (any Kernel)?,
    _ node: PrepareContext
  ) {
    self.optimizedKernel = optimizedKernel
    self.inputCount = inputCount
    self.reference = reference
    self.node = node
  }

  /// The kernel that would compute it.
  package var kernel: any Kernel { optimizedKernel.kernel }
}

/// Two parts of a graph, of which only the second reads the only output of the first.
package struct FusionPair {
  /// Where the second part has an input from.
  package enum Source: Sendable, Equatable {
    /// The first part's output.
    case result
    /// What the first part has as its input of this position, too.
    case input(Int)
    /// Neither.
    case other
  }

  /// What is computed first.
  package let first: FusionPart
  /// What reads the result.
  package let second: FusionPart
  /// Where each input of the second part comes from.
  package let sources: [Source]
  /// The inputs of the first part.
  package var firstInputs: [Fusion.Input] { (0..<first.inputCount).map { .first($0) } }

  /// A pair of these parts.
  package init(_ first: FusionPart, _ second: FusionPart, sources: [Source]) {
    self.first = first
    self.second = second
    self.sources = sources
  }
}

/// One kernel for a pair of parts, which gives the second part's outputs without the first one's.
package struct Fusion {
  /// An input of the kernel, as one of the pair's.
  package enum Input: Sendable, Equatable {
    /// The first part's input of this position.
    case first(Int)
    /// The second part's input of this position.
    case second(Int)
  }

  /// The kernel, with its scratch.
  package let optimizedKernel: KernelSet.OptimizedKernel
  /// The inputs that the kernel takes, in order.
  package let inputs: [Input]

  /// The computation of a pair by an optimized kernel that takes these inputs.
  package init(_ optimizedKernel: KernelSet.OptimizedKernel, inputs: [Input]) {
    self.optimizedKernel = optimizedKernel
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

  /// One kernel for both parts of `pair`; nil where the set has none.
  package func fusion(of pair: FusionPair, weights: WeightCache) -> Fusion? {
    for rule in fusionRules {
      if let fusion = rule(pair, self, weights) { return fusion }
    }
    return nil
  }

  /// Whether the set computes any pairs as one.
  package var fusesNodes: Bool { !fusionRules.isEmpty }

  /// The set's optimized kernel for a reference kernel; nil where it has none.
  package func optimizedKernel(
    for kernel: any Kernel, _ node: PrepareContext, _ weights: WeightCache
  ) -> OptimizedKernel? {
    substitution(for: kernel)?(kernel, node, weights)
  }
}
