// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelSet {
  /// The set with optimized kernels for 16-bit activations and 8-bit weights.
  func replacingWideProducts(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(DepthwiseConv2DNest.self, WideConvolution.self) { kernel, node, _ in
        WideDepthwise(kernel.loop, node).map { OptimizedKernel($0) }
      }
      .replacing(Conv2DNest.self, WideConvolution.self) { kernel, node, cache in
        let format = WideFormat(kernel.loop.arithmetic)
        return WideProduct(kernel.loop, format, node, cache, set).map {
          OptimizedKernel($0, scratch: $0.scratch)
        }
      }
      .replacing(Conv2DNest.self, QuantizedConvolution<Int16, Int8>.self) { kernel, node, cache in
        let format = WideFormat(kernel.loop.arithmetic)
        return WideProduct(kernel.loop, format, node, cache, set).map {
          OptimizedKernel($0, scratch: $0.scratch)
        }
      }
      .replacing(loop: BatchMatMulLoop<WideProducts<Int8, Int64>>.self) { kernel, node, cache in
        WideProduct(kernel.loop, node, cache, set).map {
          OptimizedKernel($0, scratch: $0.scratch)
        }
      }
      .replacingWideMatrixProducts(sum: Int64.self, set)
      .replacingWideMatrixProducts(sum: Int32.self, set)
  }

  /// The set with optimized kernels for `FULLY_CONNECTED` whose sums are `Sum`.
  private func replacingWideMatrixProducts<Sum>(sum: Sum.Type, _ set: MicrokernelSet) -> KernelSet
  where Sum: TensorElement & FixedWidthInteger {
    replacing(FullyConnectedNest.self, QuantizedFullyConnected<Int16, Int8, Sum, Int16>.self) {
      kernel, node, cache in
      let format = WideFormat(kernel.loop.arithmetic)
      return WideProduct(kernel.loop, format, node, cache, set).map {
        OptimizedKernel($0, scratch: $0.scratch)
      }
    }
  }
}
