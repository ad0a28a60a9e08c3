// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

extension KernelSet {
  /// The set with optimized kernels for searches in rows.
  func replacingSearches() -> KernelSet {
    self
      .replacing(loop: ArgMinMaxLoop<UInt8, Int32>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: ArgMinMaxLoop<Int8, Int32>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: ArgMinMaxLoop<UInt8, Int64>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: ArgMinMaxLoop<Int8, Int64>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: ArgMinMaxLoop<Float, Int32>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: ArgMinMaxLoop<Float, Int64>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(DetectionPostProcessKernel.self) { kernel, _, _ in
        FastDetections(kernel).map { OptimizedKernel($0) }
      }
      .replacing(loop: TopKLoop<Float>.self) { kernel, _, _ in
        LargestOfRows(kernel.loop).map { OptimizedKernel($0) }
      }
  }
}
