// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels

/// A node with the kernel that computes it, or several nodes that one kernel computes.
///
/// An object, so that lists of nodes are copied without copying what these consist of.
package final class PreparedNode: Sendable {
  /// The nodes, in order; all are computed instead of the last one.
  package let members: [Int]
  /// The kernel, with its scratch.
  package let kernel: KernelSet.OptimizedKernel
  /// The tensors that the kernel reads; negative where an optional one is absent.
  package let inputs: [Int]
  /// The tensors that the kernel writes.
  package let outputs: [Int]
  /// Of each output, the part of an input whose bytes it repeats unchanged, by the position among
  /// `inputs`; none where some output repeats none.
  package let repeatedParts: [RepeatedPart]
  /// The reference kernel of a single node; nil for several.
  package let reference: (any Kernel)?
  /// What the operator of the last node saw.
  package let context: PrepareContext

  /// The node of this index, computed by its reference kernel.
  package init(
    _ index: Int, inputs: [Int], outputs: [Int], _ prepared: Prepared, _ context: PrepareContext
  ) {
    members = [index]
    kernel = KernelSet.OptimizedKernel(prepared.kernel, scratch: prepared.scratch)
    (self.inputs, self.outputs) = (inputs, outputs)
    repeatedParts = prepared.repeatedParts
    reference = prepared.kernel
    self.context = context
  }

  /// `node`, computed by an optimized kernel.
  package init(_ node: PreparedNode, by kernel: KernelSet.OptimizedKernel) {
    (members, inputs, outputs) = (node.members, node.inputs, node.outputs)
    (repeatedParts, reference, context) = (node.repeatedParts, node.reference, node.context)
    self.kernel = kernel
  }

  /// `first` and then `second`, computed as one by a kernel that reads `inputs`.
  package init(
    _ first: PreparedNode, _ second: PreparedNode, by kernel: KernelSet.OptimizedKernel,
    inputs: [Int]
  ) {
    members = (first.members + second.members).sorted()
    (outputs, context) = (second.outputs, second.context)
    (repeatedParts, reference) = ([], nil)
    (self.kernel, self.inputs) = (kernel, inputs)
  }

  /// Nodes that wait for the run, `members`, computed as one by a kernel that reads `inputs`.
  package init(
    waiting members: [Int], inputs: [Int], outputs: [Int],
    by kernel: KernelSet.OptimizedKernel, _ context: PrepareContext
  ) {
    (self.members, self.inputs, self.outputs) = (members, inputs, outputs)
    (self.kernel, self.context) = (kernel, context)
    (repeatedParts, reference) = ([], nil)
  }

  /// Whether the kernel is not the reference kernel.
  package var isOptimized: Bool { kernel.kernel !== reference }
}
