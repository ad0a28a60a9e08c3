// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension KernelTable {
  /// The table with optimized kernels for searches in rows of `element` values.
  func replacingSearches(of element: ElementType) -> KernelTable {
    switch element {
    case .float32:
      replacing(loop: ArgMinMaxLoop<Float, Int32>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: ArgMinMaxLoop<Float, Int64>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: TopKLoop<Float>.self) { kernel, _, _ in
        LargestOfRows(kernel.loop).map { OptimizedKernel($0) }
      }
    case .int8:
      replacing(loop: ArgMinMaxLoop<Int8, Int32>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: ArgMinMaxLoop<Int8, Int64>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: TopKLoop<Int8>.self) { kernel, _, _ in
        LargestBytesOfRows(kernel.loop).map { OptimizedKernel($0) }
      }
    case .uint8:
      replacing(loop: ArgMinMaxLoop<UInt8, Int32>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: ArgMinMaxLoop<UInt8, Int64>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: TopKLoop<UInt8>.self) { kernel, _, _ in
        LargestBytesOfRows(kernel.loop).map { OptimizedKernel($0) }
      }
    default: self
    }
  }
}
