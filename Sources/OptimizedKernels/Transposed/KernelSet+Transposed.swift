// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

extension KernelSet {
  /// The set with optimized kernels for transposed convolutions.
  func replacingTransposedConvolutions(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(TransposeConvNest.self, FloatConvolution.self) { kernel, node, cache in
        let loop = kernel.loop
        return FloatTransposed(
          loop.nest, TransposeConvNest.positions, loop.arithmetic, node, cache, set
        ).map { OptimizedKernel($0) }
      }
      .replacing(BiasedTransposeConvNest.self, FloatConvolution.self) {
        kernel, node, cache in
        let loop = kernel.loop
        return FloatTransposed(
          loop.nest.nest, BiasedTransposeConvNest.positions, loop.arithmetic, node, cache, set
        ).map { OptimizedKernel($0) }
      }
      .replacing(
        LoopKernel<HybridConvolutionLoop<TransposeConvNest, ScatteredHybridConvolution>>.self
      ) {
        HybridTransposed($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(TransposeConvNest.self, QuantizedConvolution<Int8, Int8>.self) {
        ByteTransposed($0.loop, $1, $2, set).map { OptimizedKernel($0) }
      }
      .replacing(TransposeConvNest.self, QuantizedConvolution<UInt8, UInt8>.self) {
        ByteTransposed($0.loop, $1, $2, set).map { OptimizedKernel($0) }
      }
  }
}
