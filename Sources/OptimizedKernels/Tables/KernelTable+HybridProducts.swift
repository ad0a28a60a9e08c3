// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

extension KernelTable {
  /// The table with optimized kernels for activations that are quantized in the run.
  func replacingHybridProducts(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(loop: HybridConvolutionLoop<Conv2DNest, HybridConvolution>.self) {
        HybridProduct.optimizedKernel(($0.flattened() ?? $0).loop, $1, $2, set)
      }
      .replacing(loop: HybridConvolutionLoop<FullyConnectedNest, HybridConvolution>.self) {
        HybridProduct.optimizedKernel($0.loop, $1, $2, set)
      }
      .replacing(loop: HybridConvolutionLoop<DepthwiseConv2DNest, HybridConvolution>.self) {
        kernel, node, cache in
        if let product = HybridProduct.optimizedKernel(kernel.loop, node, cache, set) {
          return product
        }
        let depthwise =
          kernel.flattened().flatMap { HybridDepthwise($0.loop, node, cache, set) }
          ?? HybridDepthwise(kernel.loop, node, cache, set)
        return depthwise.map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(loop: HybridConvolutionLoop<TransposeConvNest, ScatteredHybridConvolution>.self) {
        HybridTransposed($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
  }
}
