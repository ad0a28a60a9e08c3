// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension KernelTable {
  /// The table with copies of whole rows for movements of elements of as many bytes as `element` has.
  func replacingMovements(of element: ElementType) -> KernelTable {
    // Choices are compiled for each type that is written out.
    switch element {
    case .uint8:
      replacingCopies(UInt8.self).replacing(loop: SelectLoop<UInt8>.self) { kernel, _, _ in
        OptimizedKernel(ChosenElements(kernel.loop))
      }
    case .uint16:
      replacingCopies(UInt16.self).replacing(loop: SelectLoop<UInt16>.self) { kernel, _, _ in
        OptimizedKernel(ChosenElements(kernel.loop))
      }
    case .uint32:
      replacingCopies(UInt32.self).replacing(loop: SelectLoop<UInt32>.self) { kernel, _, _ in
        OptimizedKernel(ChosenElements(kernel.loop))
      }
    case .uint64:
      replacingCopies(UInt64.self).replacing(loop: SelectLoop<UInt64>.self) { kernel, _, _ in
        OptimizedKernel(ChosenElements(kernel.loop))
      }
    default: self
    }
  }

  /// The table with copies of whole rows, and of pixels.
  @_semantics("optimize.sil.specialize.generic.never")
  private func replacingCopies<Unit: TensorElement & FixedWidthInteger>(
    _: Unit.Type
  ) -> KernelTable {
    replacingGathers(Unit.self, Int32.self).replacingGathers(Unit.self, Int64.self)
      .replacing(loop: BoxCopyLoop<Unit>.self) { kernel, _, _ in
        OptimizedKernel(BoxRows(kernel.loop))
      }
      .replacing(loop: SpaceToBatchLoop<Unit>.self) { kernel, _, _ in
        kernel.loop.grid.boxesOfParts(over: kernel.loop.padding)
          .map { OptimizedKernel(BoxRows(BoxCopyLoop<Unit>($0))) }
      }
      .replacing(loop: BatchToSpaceLoop<Unit>.self) { kernel, _, _ in
        kernel.loop.grid.boxesOfWholes().map { OptimizedKernel(BoxRows(BoxCopyLoop<Unit>($0))) }
      }
      .replacing(loop: ResizeNearestNeighborLoop<Unit>.self) { kernel, _, _ in
        NearestResize(kernel.loop).map { OptimizedKernel($0) }
      }
  }

  /// The table with copies of rows that indices of type `Index` choose.
  @_semantics("optimize.sil.specialize.generic.never")
  private func replacingGathers<
    Unit: TensorElement & FixedWidthInteger, Index: TensorElement & FixedWidthInteger
  >(_: Unit.Type, _: Index.Type) -> KernelTable {
    replacing(loop: GatherLoop<Unit, Index>.self) { kernel, _, _ in
      GatheredCopies(kernel.loop).map { OptimizedKernel($0) }
    }
  }
}
