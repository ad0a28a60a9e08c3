// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelTable {
  /// The table with optimized kernels for searches among `element` values.
  func replacingSearches(of element: ElementType, _ set: MicrokernelSet) -> KernelTable {
    switch element {
    case .float32:
      replacing(loop: ArgMinMaxLoop<Float, Int32>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
          ?? ColumnExtremum(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: ArgMinMaxLoop<Float, Int64>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
          ?? ColumnExtremum(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: TopKLoop<Float>.self) { kernel, _, _ in
        LargestOfRows(kernel.loop).map { OptimizedKernel($0) }
      }
    case .int8: replacingByteSearches(Int8.self, set)
    case .uint8: replacingByteSearches(UInt8.self, set)
    default: self
    }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func replacingByteSearches<Element: CastElement & FixedWidthInteger>(
    _: Element.Type, _ set: MicrokernelSet
  ) -> KernelTable where Element.Carrier: Comparable {
    self
      .replacing(loop: ArgMinMaxLoop<Element, Int32>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
          ?? ColumnExtremum(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: ArgMinMaxLoop<Element, Int64>.self) { kernel, _, _ in
        RowExtremum(kernel.loop).map { OptimizedKernel($0) }
          ?? ColumnExtremum(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: TopKLoop<Element>.self) { kernel, _, _ in
        LargestBytesOfRows(kernel.loop).map { OptimizedKernel($0) }
      }
  }
}
