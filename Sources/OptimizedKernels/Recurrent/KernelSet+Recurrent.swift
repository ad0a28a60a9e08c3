// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelSet {
  /// The set with optimized kernels for recurrent cells.
  func replacingRecurrentCells(_ set: MicrokernelSet) -> KernelSet {
    replacingFloatCells().replacingHybridCells(set)
      .replacing(IntegerLSTM.self) {
        IntegerCells($0, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(IntegerSVDF.self) {
        IntegerFilters($0, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
  }

  private func replacingFloatCells() -> KernelSet {
    replacingCells(FloatCellProducts.self) { products, _, _ in LaneProducts(products) }
      .replacing(loop: SVDFLoop<FloatCellProducts>.self) { kernel, node, _ in
        let loop = kernel.loop
        return FilterLoop(loop, LaneProducts(loop.products), node).map {
          OptimizedKernel(LoopKernel($0), scratch: loop.scratch)
        }
      }
  }

  private func replacingHybridCells(_ set: MicrokernelSet) -> KernelSet {
    replacingCells(HybridCellProducts.self) { products, node, cache in
      ByteCellProducts(products, node, cache, set)
    }
    .replacing(loop: SVDFLoop<HybridCellProducts>.self) { kernel, node, cache in
      let loop = kernel.loop
      return ByteCellProducts(loop.products, node, cache, set)
        .flatMap { FilterLoop(loop, $0, node) }
        .map { OptimizedKernel(LoopKernel($0), scratch: loop.scratch) }
    }
  }

  /// The set with other products for the cells of either direction.
  private func replacingCells<Base: CellProducts, Fast: CellProducts>(
    _: Base.Type,
    _ make: @escaping @Sendable (Base, PrepareContext, WeightCache) -> Fast?
  ) -> KernelSet {
    self
      .replacing(loop: FloatLSTMLoop<Base>.self) { kernel, node, cache in
        let loop = kernel.loop
        return make(loop.products, node, cache).map {
          OptimizedKernel(LoopKernel(loop.with($0)), scratch: loop.scratch)
        }
      }
      .replacing(loop: RNNLoop<Base>.self) { kernel, node, cache in
        let loop = kernel.loop
        return make(loop.products, node, cache).map {
          OptimizedKernel(LoopKernel(loop.with($0)), scratch: loop.scratch)
        }
      }
      .replacing(loop: BothDirections<FloatLSTMLoop<Base>>.self) { kernel, node, cache in
        let (forward, backward) = (kernel.loop.forward, kernel.loop.backward)
        return make(forward.products, node, cache).map {
          OptimizedKernel(
            LoopKernel(BothDirections(forward: forward.with($0), backward: backward.with($0))),
            scratch: zip(forward.scratch, backward.scratch).map(max))
        }
      }
      .replacing(loop: BothDirections<RNNLoop<Base>>.self) { kernel, node, cache in
        let (forward, backward) = (kernel.loop.forward, kernel.loop.backward)
        return make(forward.products, node, cache).map {
          OptimizedKernel(
            LoopKernel(BothDirections(forward: forward.with($0), backward: backward.with($0))),
            scratch: zip(forward.scratch, backward.scratch).map(max))
        }
      }
  }
}
