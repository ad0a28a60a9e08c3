// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Optimized kernels by the types of the reference kernels that they replace.
package struct KernelTable: Sendable {
  /// A faster kernel that replaces a reference kernel, with the scratch it needs.
  package typealias OptimizedKernel = KernelSet.OptimizedKernel

  /// What makes an optimized kernel for a kernel with the loops of `Loop`.
  typealias Making<Loop: KernelLoop> =
    @Sendable (LoopKernel<Loop>, PrepareContext, WeightCache) -> OptimizedKernel?

  typealias Substitution = @Sendable (any Kernel, PrepareContext, WeightCache) -> OptimizedKernel?

  /// A function as part of a structure: a dictionary would wrap it anew for whoever looks it up.
  private struct Entry {
    let substitution: Substitution
  }

  private var substitutions: [ObjectIdentifier: Entry] = [:]
  /// What makes an optimized kernel whatever the type of the reference kernel is.
  private var common: Substitution?
  /// What makes kernels that do without a `PAD` in front of them.
  private var paddings: [ObjectIdentifier: @Sendable (any Kernel, ImagePadding) -> (any Kernel)?] =
    [:]
  /// The family of all loops that the table is for; nil where it is for any kernels.
  private let family: LoopFamily?

  /// Whether the table has optimized kernels for none.
  package var isEmpty: Bool { substitutions.isEmpty && common == nil }

  /// The table for loops of `family`, or for any kernels, that has none yet.
  init(family: LoopFamily? = nil) { self.family = family }

  /// The table with optimized kernels for kernels of type `Reference`; where `make` gives nil, the
  /// reference kernel stays.
  consuming func replacing<Reference: Kernel>(
    _ type: Reference.Type,
    with make: @escaping @Sendable (Reference, PrepareContext, WeightCache) -> OptimizedKernel?
  ) -> KernelTable {
    substitutions[ObjectIdentifier(type)] = Entry { kernel, node, weights in
      guard let kernel = kernel as? Reference else { return nil }
      return make(kernel, node, weights)
    }
    return self
  }

  /// The table with optimized kernels for kernels with the loops of `Loop`, which must be of the
  /// table's family: they are looked up in no other table.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func replacing<Loop: KernelLoop>(
    loop: Loop.Type, with make: @escaping Making<Loop>
  ) -> KernelTable {
    precondition(family == nil || family == Loop.family)
    return replacing(LoopKernel<Loop>.self, with: make)
  }

  /// The table with optimized kernels for every loop of its family, of which the node tells the rest.
  consuming func replacingAll(
    with make: @escaping @Sendable (PrepareContext) -> OptimizedKernel?
  ) -> KernelTable {
    common = { _, node, _ in make(node) }
    return self
  }

  /// The table that does without a `PAD` in front of kernels with the loops of `Loop`.
  ///
  /// Asking a kernel at run time whether it can would search all of the program for conformances.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func padding<Loop: PaddableLoop>(loop: Loop.Type) -> KernelTable {
    paddings[ObjectIdentifier(LoopKernel<Loop>.self)] = { kernel, padding in
      (kernel as? LoopKernel<Loop>)?.loop.padded(by: padding).map { LoopKernel($0) }
    }
    return self
  }

  /// The reference kernel that does without `padding` in front of `kernel`; nil where there is none.
  func padded(_ kernel: any Kernel, by padding: ImagePadding) -> (any Kernel)? {
    paddings[ObjectIdentifier(type(of: kernel))]?(kernel, padding)
  }

  /// What makes an optimized kernel for kernels of this type; nil where nothing does.
  func substitution(for kernel: any Kernel) -> Substitution? {
    common ?? substitutions[ObjectIdentifier(type(of: kernel))]?.substitution
  }
}
