// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelTable {
  /// The table with optimized kernels for what becomes of windows over `element` values.
  func replacingPools(of element: ElementType, _ set: MicrokernelSet) -> KernelTable {
    switch element {
    case .float32: replacingFloatPools(set)
    case .int8: replacingBytePools(Int8.self, set)
    case .uint8: replacingBytePools(UInt8.self, set)
    default: self
    }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func replacingBytePools<Element: TensorElement & FixedWidthInteger>(
    _: Element.Type, _ set: MicrokernelSet
  ) -> KernelTable {
    self
      .replacing(pool: QuantizedAverage<Element>.self) { kernel, _, _ in
        ByteAverages(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(pool: QuantizedMaximum<Element>.self) { kernel, _, _ in
        ByteMaxima(kernel.loop, set).map { OptimizedKernel($0) }
      }
  }

  private func replacingFloatPools(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(pool: FloatAverage.self) { kernel, _, _ in
        OptimizedKernel(FloatPool(kernel.loop, set))
      }
      .replacing(pool: FloatMaximum.self) { kernel, _, _ in
        OptimizedKernel(FloatPool(kernel.loop, set))
      }
      .replacing(loop: ArgmaxPoolLoop.self) { kernel, _, _ in
        OptimizedKernel(ArgmaxPool(kernel.loop, set))
      }
      .replacing(loop: UnpoolLoop.self) { kernel, _, _ in
        FloatUnpool(kernel.loop).map { OptimizedKernel($0) }
      }
  }

  /// The table with optimized kernels for images whose pixels, of type `element`, are interpolated.
  func replacingInterpolations(of element: ElementType, _ set: MicrokernelSet) -> KernelTable {
    switch element {
    case .float32:
      replacing(loop: ResizeBilinearLoop<Float>.self) { kernel, _, _ in
        FloatResize(kernel.loop, set).map { OptimizedKernel($0) }
      }
    case .int8:
      replacing(loop: ResizeBilinearIntegerLoop<Int8>.self) { kernel, _, _ in
        QuantizedResize(kernel.loop, set).map { OptimizedKernel($0) }
      }
    case .uint8:
      replacing(loop: ResizeBilinearLoop<UInt8>.self) { kernel, _, _ in
        FloatResize(kernel.loop, set).map { OptimizedKernel($0) }
      }
    default: self
    }
  }
}
