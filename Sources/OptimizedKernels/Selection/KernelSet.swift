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

  /// Optimized kernels that come before those of families.
  private var table: KernelTable
  private let families: KernelFamilies?
  var fusionRules: [FusionRule] = []

  /// The set with the optimized kernels of `table`, and of `families` for loops without any there.
  init(_ name: String, _ table: KernelTable = KernelTable(), families: KernelFamilies? = nil) {
    (self.name, self.table, self.families) = (name, table, families)
  }

  /// The kernels that define what each operator computes.
  public static let reference = KernelSet("reference")

  /// The set with optimized kernels for kernels of type `Reference`; where `make` gives nil, the
  /// reference kernel stays.
  package consuming func replacing<Reference: Kernel>(
    _ type: Reference.Type,
    with make: @escaping @Sendable (Reference, PrepareContext, WeightCache) -> OptimizedKernel?
  ) -> KernelSet {
    table = table.replacing(type, with: make)
    return self
  }

  /// The reference kernel that does without `padding` in front of `kernel`; nil where there is none.
  func padded(_ kernel: any Kernel, by padding: ImagePadding) -> (any Kernel)? {
    families?.lookUp(kernel) { $0.padded(kernel, by: padding) }
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
    let substitution =
      table.substitution(for: kernel)
      ?? families?.lookUp(kernel) { $0.substitution(for: kernel) }
    return substitution?(kernel, node, weights)
  }
}

extension KernelSet: CustomStringConvertible {
  /// The set's name.
  public var description: String { name }
}
