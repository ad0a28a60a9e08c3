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
    case .int8: replacingByteNormalizations(Int8.self)
    case .uint8: replacingByteNormalizations(UInt8.self)
    default: self
    }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func replacingByteNormalizations<Quantized: TensorElement & FixedWidthInteger>(
    _: Quantized.Type
  ) -> KernelTable {
    self
      .replacing(loop: QuantizedSoftmaxLoop<Quantized, Quantized>.self) { kernel, node, _ in
        OptimizedKernel(ByteSoftmax(kernel.loop, node))
      }
      .replacing(loop: QuantizedLogSoftmaxLoop<Quantized>.self) { kernel, _, _ in
        OptimizedKernel(ByteLogSoftmax(kernel.loop))
      }
      .replacing(loop: QuantizedL2NormalizationLoop<Quantized>.self) { kernel, node, _ in
        ByteL2Normalization(kernel.loop, node).map { OptimizedKernel($0) }
      }
  }
}
