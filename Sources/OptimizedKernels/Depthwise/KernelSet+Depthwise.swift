// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

extension KernelSet {
  /// The set with optimized kernels for depthwise convolutions.
  ///
  /// Those of a single channel are products.
  func replacingDepthwise(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(DepthwiseConv2DNest.self, FloatConvolution.self) {
        LineProduct<FloatLines>($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? FloatProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? FloatDepthwise($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(DepthwiseConv2DNest.self, QuantizedConvolution<Int8, Int8>.self) {
        LineProduct<ByteLines>($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? ByteProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? ByteDepthwise($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(DepthwiseConv2DNest.self, QuantizedConvolution<UInt8, UInt8>.self) {
        LineProduct<ByteLines>($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? ByteProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? ByteDepthwise($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(loop: HybridConvolutionLoop<DepthwiseConv2DNest, HybridConvolution>.self) {
        HybridDepthwise($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
  }
}
