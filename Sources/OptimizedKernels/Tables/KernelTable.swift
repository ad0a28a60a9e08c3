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

  /// What makes a kernel that does without a `PAD` in front of it.
  private typealias Padding = @Sendable (any Kernel, ImagePadding) -> (any Kernel)?

  /// What makes an optimized kernel for kernels of an identity, or one that does without a `PAD`.
  ///
  /// An object, as arrays of structures have a type of their own, which the runtime would make.
  private final class Entry: Sendable {
    let identity: KernelIdentity
    let substitution: Substitution?
    let padding: Padding?

    init(
      _ identity: KernelIdentity, substitution: Substitution? = nil, padding: Padding? = nil
    ) {
      self.identity = identity
      self.substitution = substitution
      self.padding = padding
    }
  }

  /// The entries, of which a family has few enough to be searched.
  private var entries: [Entry] = []
  /// What makes an optimized kernel whatever the type of the reference kernel is.
  private var common: Substitution?
  /// The family of all loops that the table is for; nil where it is for any kernels.
  private let family: LoopFamily?

  /// Whether the table has optimized kernels for none.
  package var isEmpty: Bool { entries.isEmpty && common == nil }

  /// The table for loops of `family`, or for any kernels, that has none yet.
  init(family: LoopFamily? = nil) { self.family = family }

  /// The table with optimized kernels for kernels of type `Reference`; where `make` gives nil, the
  /// reference kernel stays.
  consuming func replacing<Reference: Kernel>(
    _ type: Reference.Type,
    with make: @escaping @Sendable (Reference, PrepareContext, WeightCache) -> OptimizedKernel?
  ) -> KernelTable {
    replacing(KernelIdentity(type)) { kernel, node, weights in
      guard let kernel = kernel as? Reference else { return nil }
      return make(kernel, node, weights)
    }
  }

  /// The table with optimized kernels for kernels of this identity or type.
  private consuming func replacing(
    _ identity: KernelIdentity, with substitution: @escaping Substitution
  ) -> KernelTable {
    entries.append(Entry(identity, substitution: substitution))
    return self
  }

  /// The table with optimized kernels for kernels with the loops of `Loop`, which must be of the
  /// table's family: they are looked up in no other table.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func replacing<Loop: KernelLoop>(
    loop: Loop.Type, with make: @escaping Making<Loop>
  ) -> KernelTable {
    replacing(Loop.identity, of: Loop.family) { kernel, node, weights in
      guard let kernel = kernel as? LoopKernel<Loop> else { return nil }
      return make(kernel, node, weights)
    }
  }

  /// The table with optimized kernels for kernels of this identity, which must be of the table's
  /// family and have none in it.
  consuming func replacing(
    _ identity: KernelIdentity, of family: LoopFamily?, with make: @escaping Substitution
  ) -> KernelTable {
    precondition(self.family == nil || self.family == family)
    precondition(!entries.contains { $0.identity == identity && $0.substitution != nil })
    return replacing(identity, with: make)
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
    let padding: Padding = { kernel, padding in
      (kernel as? LoopKernel<Loop>)?.loop.padded(by: padding).map { LoopKernel($0) }
    }
    entries.append(Entry(Loop.identity, padding: padding))
    return self
  }

  /// The reference kernel that does without `padding` in front of `kernel`; nil where there is none.
  func padded(_ kernel: any Kernel, by padding: ImagePadding) -> (any Kernel)? {
    let identity = kernel.identity
    return entries.first { $0.identity == identity && $0.padding != nil }?
      .padding?(kernel, padding)
  }

  /// What makes an optimized kernel for kernels like this; nil where nothing does.
  ///
  /// An entry is for a kernel's type, or for what tells it from others. The last one counts.
  func substitution(for kernel: any Kernel) -> Substitution? {
    if let common { return common }
    let identity = kernel.identity
    let type = kernel.typeIdentity
    return entries.last {
      ($0.identity == identity || $0.identity == type) && $0.substitution != nil
    }?.substitution
  }
}

extension Kernel {
  /// What tables know the kernel by where they name its type.
  fileprivate var typeIdentity: KernelIdentity { KernelIdentity(type(of: self)) }
}
