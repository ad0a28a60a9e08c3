// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelTable {
  /// The table with optimized kernels for cells whose weights, or integers of the state, are
  /// `element` values.
  func replacingCells(of element: ElementType, _ set: MicrokernelSet) -> KernelTable {
    switch element {
    case .float32: replacingFloatCells()
    case .int8:
      replacingHybridCells(set).replacing(loop: IntegerSVDF<Int8>.self) {
        IntegerFilters($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
    case .int16:
      replacing(loop: IntegerSVDF<Int16>.self) {
        IntegerFilters($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
    default: self
    }
  }

  private func replacingFloatCells() -> KernelTable {
    replacingCells(FloatCellProducts.self, { products, _, _ in LaneProducts(products) }) {
      GatedCells($0, $1)?.run
    } filters: {
      FloatFilters($0, $1, $2)?.run
    }
  }

  private func replacingHybridCells(_ set: MicrokernelSet) -> KernelTable {
    replacingCells(
      HybridCellProducts.self, { ByteCellProducts($0, $1, $2, set) }
    ) {
      GatedCells($0, $1)?.run
    } filters: {
      FloatFilters($0, $1, $2)?.run
    }
  }

  /// The table with other products for the cells of either direction, and with what `run` gives for
  /// the simplest LSTM cells and `filters` for `SVDF`.
  private func replacingCells<Base: CellProducts, Fast: CellProducts>(
    _: Base.Type,
    _ make: @escaping @Sendable (Base, PrepareContext, WeightCache) -> Fast?,
    run: @escaping @Sendable (FloatLSTMLoop<Base>, Fast) -> CellRun?,
    filters: @escaping @Sendable (SVDFLoop<Base>, Fast, PrepareContext) -> CellRun?
  ) -> KernelTable where Fast.Quantized == Base.Quantized {
    self
      .replacing(loop: SVDFLoop<Base>.self) { kernel, node, cache in
        let loop = kernel.loop
        return make(loop.products, node, cache).flatMap { filters(loop, $0, node) }.map {
          OptimizedKernel(CellKernel([$0]), scratch: loop.scratch)
        }
      }
      .replacing(loop: FloatLSTMLoop<Base>.self) { kernel, node, cache in
        let loop = kernel.loop
        return make(loop.products, node, cache).map { fast in
          OptimizedKernel(
            run(loop, fast).map { CellKernel([$0]) }
              ?? loop.kernel(with: ProvidedProducts(loop.products, fast)),
            scratch: loop.scratch)
        }
      }
      .replacing(loop: RNNLoop<Base>.self) { kernel, node, cache in
        let loop = kernel.loop
        return make(loop.products, node, cache).map {
          OptimizedKernel(
            loop.kernel(with: ProvidedProducts(loop.products, $0)), scratch: loop.scratch)
        }
      }
      .replacing(loop: BothDirections<FloatLSTMLoop<Base>>.self) { kernel, node, cache in
        let (forward, backward) = (kernel.loop.forward, kernel.loop.backward)
        return make(forward.products, node, cache).map { fast in
          let runs = [run(forward, fast), run(backward, fast)].compactMap(\.self)
          return OptimizedKernel(
            runs.count == 2
              ? CellKernel(runs)
              : kernel.loop.kernel(with: ProvidedProducts(forward.products, fast)),
            scratch: zip(forward.scratch, backward.scratch).map(max))
        }
      }
      .replacing(loop: BothDirections<RNNLoop<Base>>.self) { kernel, node, cache in
        let (forward, backward) = (kernel.loop.forward, kernel.loop.backward)
        return make(forward.products, node, cache).map {
          OptimizedKernel(
            kernel.loop.kernel(with: ProvidedProducts(forward.products, $0)),
            scratch: zip(forward.scratch, backward.scratch).map(max))
        }
      }
  }
}

extension ProvidedProducts {
  /// The products that `fast` computes instead of `base`.
  fileprivate init<Fast: CellProducts>(_ base: Base, _ fast: Fast)
  where Fast.Quantized == Base.Quantized {
    self.init(
      base, encode: { fast.encode($0, into: &$1) },
      multiply: { product, frame, vector, quantizedValues, bias, result in
        var steps = NoSteps()
        fast.multiply(
          product, frame, vector, as: quantizedValues, bias: bias, to: &result, &steps
        ) { _, _ in }
      }, apply: { LaneFunctions.apply($0, to: &$1) })
  }
}
