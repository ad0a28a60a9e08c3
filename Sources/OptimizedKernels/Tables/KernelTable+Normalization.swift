// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelTable {
  /// The table with optimized kernels for what normalizes rows of `element` values.
  func replacingNormalizations(of element: ElementType, _ set: MicrokernelSet) -> KernelTable {
    switch element {
    case .float32:
      replacing(loop: SoftmaxLoop<Float>.self) { kernel, node, _ in
        FloatSoftmax(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
    case .int8:
      replacing(loop: QuantizedSoftmaxLoop<Int8, Int8>.self) { kernel, _, _ in
        OptimizedKernel(ByteSoftmax(kernel.loop))
      }
      .replacing(loop: QuantizedLogSoftmaxLoop<Int8>.self) { kernel, _, _ in
        OptimizedKernel(ByteLogSoftmax(kernel.loop))
      }
      .replacing(loop: QuantizedL2NormalizationLoop<Int8>.self) { kernel, node, _ in
        ByteL2Normalization(kernel.loop, node).map { OptimizedKernel($0) }
      }
    case .uint8:
      replacing(loop: QuantizedSoftmaxLoop<UInt8, UInt8>.self) { kernel, _, _ in
        OptimizedKernel(ByteSoftmax(kernel.loop))
      }
      .replacing(loop: QuantizedLogSoftmaxLoop<UInt8>.self) { kernel, _, _ in
        OptimizedKernel(ByteLogSoftmax(kernel.loop))
      }
      .replacing(loop: QuantizedL2NormalizationLoop<UInt8>.self) { kernel, node, _ in
        ByteL2Normalization(kernel.loop, node).map { OptimizedKernel($0) }
      }
    default: self
    }
  }
}
