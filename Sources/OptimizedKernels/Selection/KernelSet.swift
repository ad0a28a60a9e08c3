// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels
package import Tensors

/// A choice of kernels: the reference ones, or optimized kernels for some of them.
public struct KernelSet: Sendable {
  /// The name that the command line and results use.
  public let name: String

  /// A faster kernel that replaces a reference kernel, with the scratch it needs.
  package struct OptimizedKernel: Sendable {
    /// The kernel.
    package let kernel: any Kernel
    /// Bytes of each scratch tensor.
    package let scratch: [Int]
    /// The kernel as the module that made it knows it, for that module to find.
    package let aspect: (any AnyObject & Sendable)?

    /// A kernel with its scratch.
    package init(
      _ kernel: any Kernel, scratch: [Int] = [], aspect: (any AnyObject & Sendable)? = nil
    ) {
      self.kernel = kernel
      self.scratch = scratch
      self.aspect = aspect
    }
  }

  typealias Substitution = @Sendable (any Kernel, PrepareContext, WeightCache) -> OptimizedKernel?

  private var substitutions: [ObjectIdentifier: Substitution] = [:]
  /// What makes kernels that do without a `PAD` in front of them.
  private var paddings: [ObjectIdentifier: @Sendable (any Kernel, ImagePadding) -> (any Kernel)?] =
    [:]
  var fusionRules: [FusionRule] = []

  /// The set that replaces nothing yet.
  package init(_ name: String) { self.name = name }

  /// The kernels that define what each operator computes.
  public static let reference = KernelSet("reference")

  /// The set with optimized kernels for kernels of type `Reference`; where `make` gives nil, the
  /// reference kernel stays.
  package consuming func replacing<Reference: Kernel>(
    _ type: Reference.Type,
    with make: @escaping @Sendable (Reference, PrepareContext, WeightCache) -> OptimizedKernel?
  ) -> KernelSet {
    substitutions[ObjectIdentifier(type)] = { kernel, node, weights in
      guard let kernel = kernel as? Reference else { return nil }
      return make(kernel, node, weights)
    }
    return self
  }

  /// The set that does without a `PAD` in front of kernels with the loops of `Loop`.
  ///
  /// Asking a kernel at run time whether it can would search all of the program for conformances.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func padding<Loop: PaddableLoop>(loop: Loop.Type) -> KernelSet {
    paddings[ObjectIdentifier(LoopKernel<Loop>.self)] = { kernel, padding in
      (kernel as? LoopKernel<Loop>)?.loop.padded(by: padding).map { LoopKernel($0) }
    }
    return self
  }

  /// The reference kernel that does without `padding` in front of `kernel`; nil where there is none.
  func padded(_ kernel: any Kernel, by padding: ImagePadding) -> (any Kernel)? {
    paddings[ObjectIdentifier(type(of: kernel))]?(kernel, padding)
  }

  /// The same preparation with this set's optimized kernel for the kernel, where it has one.
  package func applied(
    to prepared: Prepared, of node: PrepareContext, weights: WeightCache
  ) -> Prepared {
    guard let optimizedKernel = optimizedKernel(for: prepared.kernel, node, weights) else {
      return prepared
    }
    var result = prepared
    result.kernel = optimizedKernel.kernel
    result.scratch = optimizedKernel.scratch
    return result
  }

  /// The set's optimized kernel for a reference kernel; nil where it has none.
  package func optimizedKernel(
    for kernel: any Kernel, _ node: PrepareContext, _ weights: WeightCache
  ) -> OptimizedKernel? {
    substitution(for: kernel)?(kernel, node, weights)
  }

  /// Whether the set has an optimized kernel for kernels of this type.
  package func replaces(_ kernel: any Kernel) -> Bool { substitution(for: kernel) != nil }

  private func substitution(for kernel: any Kernel) -> Substitution? {
    substitutions[ObjectIdentifier(type(of: kernel))]
  }
}

extension KernelSet: CustomStringConvertible {
  /// The set's name.
  public var description: String { name }
}
