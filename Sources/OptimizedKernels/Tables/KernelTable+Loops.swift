// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Optimized kernels for kernels that are named by what they are made of.
///
/// Where a generic type is written out, the runtime searches all of the program for each
/// conformance that its parameters must have, once it needs the type: some ten microseconds each.
/// Callers of generic functions know conformances without a search. They only must stay generic:
/// specialized, these would write out the types. Handing such a type on to `replacing(loop:)` makes it
/// in each start, whether a model has the operator or not; a closure makes it when a kernel is asked
/// about. So the loops that most tables name have the cast in a closure of their own.
extension KernelTable {
  /// The table with optimized kernels for an arithmetic of pairs of elements.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func replacing<Arithmetic: BinaryArithmetic>(
    binary: Arithmetic.Type, with make: @escaping Making<BinaryLoop<Arithmetic>>
  ) -> KernelTable {
    typealias Loop = BinaryLoop<Arithmetic>
    return replacing(Loop.identity, of: Loop.family) { kernel, node, weights in
      guard let kernel = kernel as? LoopKernel<Loop> else { return nil }
      return make(kernel, node, weights)
    }
  }

  /// The table with optimized kernels for an arithmetic of single elements.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func replacing<Arithmetic: UnaryArithmetic>(
    unary: Arithmetic.Type, with make: @escaping Making<UnaryLoop<Arithmetic>>
  ) -> KernelTable {
    typealias Loop = UnaryLoop<Arithmetic>
    return replacing(Loop.identity, of: Loop.family) { kernel, node, weights in
      guard let kernel = kernel as? LoopKernel<Loop> else { return nil }
      return make(kernel, node, weights)
    }
  }

  /// The table with optimized kernels for sums of products in a number format.
  ///
  /// `make` need not care for weights that are not constant.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func replacing<Nest: ConvolutionNest, Arithmetic: ConvolutionArithmetic>(
    _ nest: Nest.Type, _ arithmetic: Arithmetic.Type,
    with make: @escaping Making<ConvolutionLoop<Nest, Arithmetic>>
  ) -> KernelTable { replacingSums(nest, arithmetic, with: make) }

  /// The same for windows and formats with which they do without a `PAD` in front of them; windows
  /// that span an image's width slide along one line (`WindowGeometry.flattened`), unless that is too
  /// long for the kernel.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func replacing<Nest: PaddableNest, Arithmetic: PaddableArithmetic>(
    _ nest: Nest.Type, _ arithmetic: Arithmetic.Type,
    with make: @escaping Making<ConvolutionLoop<Nest, Arithmetic>>
  ) -> KernelTable {
    padding(loop: ConvolutionLoop<Nest, Arithmetic>.self)
      .replacingSums(nest, arithmetic) { kernel, node, cache in
        if let line = kernel.flattened(), let kernel = make(line, node, cache) { return kernel }
        return make(kernel, node, cache)
      }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private consuming func replacingSums<Nest: ConvolutionNest, Arithmetic: ConvolutionArithmetic>(
    _ nest: Nest.Type, _ arithmetic: Arithmetic.Type,
    with make: @escaping Making<ConvolutionLoop<Nest, Arithmetic>>
  ) -> KernelTable {
    replacing(loop: ConvolutionLoop<Nest, Arithmetic>.self) { kernel, node, cache in
      if let known = make(kernel, node, cache) { return known }
      return RepackedKernel(
        kernel, node, Nest.positions, outputDepth: kernel.loop.nest.outputDepth
      ) { make(kernel, $0, WeightCache()) }.map { OptimizedKernel($0) }
    }
  }

  /// The table with optimized kernels for a pool.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func replacing<Arithmetic: PoolArithmetic>(
    pool: Arithmetic.Type, with make: @escaping Making<Pool2DLoop<Arithmetic>>
  ) -> KernelTable { replacing(loop: Pool2DLoop<Arithmetic>.self, with: make) }

  /// The same for a pool that does without a `PAD` in front of it.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func replacing<Arithmetic: PaddablePool>(
    pool: Arithmetic.Type, with make: @escaping Making<Pool2DLoop<Arithmetic>>
  ) -> KernelTable {
    padding(loop: Pool2DLoop<Arithmetic>.self)
      .replacing(loop: Pool2DLoop<Arithmetic>.self, with: make)
  }

  /// The table with optimized kernels for a reduction.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func replacing<Arithmetic: ReductionArithmetic>(
    reduction: Arithmetic.Type, with make: @escaping Making<ReductionLoop<Arithmetic>>
  ) -> KernelTable {
    typealias Loop = ReductionLoop<Arithmetic>
    return replacing(Loop.identity, of: Loop.family) { kernel, node, weights in
      guard let kernel = kernel as? LoopKernel<Loop> else { return nil }
      return make(kernel, node, weights)
    }
  }
}
