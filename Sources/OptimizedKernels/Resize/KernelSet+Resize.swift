// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

extension KernelSet {
  /// The set with optimized kernels for resized images.
  func replacingResizes(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(loop: ResizeBilinearLoop<Float>.self) { kernel, _, _ in
        FloatResize(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: ResizeBilinearLoop<UInt8>.self) { kernel, _, _ in
        FloatResize(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: ResizeNearestNeighborLoop<UInt32>.self) { kernel, _, _ in
        NearestResize(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: ResizeNearestNeighborLoop<UInt16>.self) { kernel, _, _ in
        NearestResize(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: ResizeNearestNeighborLoop<UInt8>.self) { kernel, _, _ in
        NearestResize(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: ResizeBilinearIntegerLoop<Int8>.self) { kernel, _, _ in
        QuantizedResize(kernel.loop, set).map { OptimizedKernel($0) }
      }
  }
}
