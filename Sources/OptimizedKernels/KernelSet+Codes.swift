// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelSet {
  /// The set with vector code for what chooses between quantized values and converts them.
  func replacingValues(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(binary: Extremum<Larger, Int8>.self) { kernel, _, _ in
        OptimizedKernel(
          ByteExtremum(kernel.loop.broadcast, isMaximum: true, isSigned: true, set))
      }
      .replacing(binary: Extremum<Larger, UInt8>.self) { kernel, _, _ in
        OptimizedKernel(
          ByteExtremum(kernel.loop.broadcast, isMaximum: true, isSigned: false, set))
      }
      .replacing(binary: Extremum<Smaller, Int8>.self) { kernel, _, _ in
        OptimizedKernel(
          ByteExtremum(kernel.loop.broadcast, isMaximum: false, isSigned: true, set))
      }
      .replacing(binary: Extremum<Smaller, UInt8>.self) { kernel, _, _ in
        OptimizedKernel(
          ByteExtremum(kernel.loop.broadcast, isMaximum: false, isSigned: false, set))
      }
      .replacing(loop: QuantizeLoop<WholeElements<Int8>>.self) { kernel, node, _ in
        QuantizedConversion(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: QuantizeLoop<WholeElements<UInt8>>.self) { kernel, node, _ in
        QuantizedConversion(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(unary: Widening.self) { _, node, _ in
        HalfWidening(node).map { OptimizedKernel($0) }
      }
      .replacing(loop: DequantizeLoop<WholeElements<Int8>>.self) { kernel, node, _ in
        QuantizedConversion(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: DequantizeLoop<WholeElements<UInt8>>.self) { kernel, node, _ in
        QuantizedConversion(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
  }

  /// The set with copies of whole rows between images and batches of their blocks.
  @_semantics("optimize.sil.specialize.generic.never")
  private func replacingBlocks<Unit: TensorElement & FixedWidthInteger>(_: Unit.Type) -> KernelSet {
    self
      .replacing(loop: SpaceToBatchLoop<Unit>.self) { kernel, _, _ in
        kernel.loop.grid.boxesOfParts(over: kernel.loop.padding)
          .map { OptimizedKernel(BoxRows(BoxCopyLoop<Unit>($0))) }
      }
      .replacing(loop: BatchToSpaceLoop<Unit>.self) { kernel, _, _ in
        kernel.loop.grid.boxesOfWholes().map { OptimizedKernel(BoxRows(BoxCopyLoop<Unit>($0))) }
      }
  }

  /// The set with copies of whole rows for movements of elements.
  func replacingMovements(_ set: MicrokernelSet) -> KernelSet {
    replacingGathers(Int32.self).replacingGathers(Int64.self)
      .replacing(RescalingConcatenationKernel.self) { kernel, _, _ in
        OptimizedKernel(RescaledRuns(kernel, set))
      }
      .replacingBlocks(UInt8.self).replacingBlocks(UInt16.self)
      .replacingBlocks(UInt32.self).replacingBlocks(UInt64.self)
      .replacing(loop: BoxCopyLoop<UInt8>.self) { kernel, _, _ in
        OptimizedKernel(BoxRows(kernel.loop))
      }
      .replacing(loop: BoxCopyLoop<UInt16>.self) { kernel, _, _ in
        OptimizedKernel(BoxRows(kernel.loop))
      }
      .replacing(loop: BoxCopyLoop<UInt32>.self) { kernel, _, _ in
        OptimizedKernel(BoxRows(kernel.loop))
      }
      .replacing(loop: BoxCopyLoop<UInt64>.self) { kernel, _, _ in
        OptimizedKernel(BoxRows(kernel.loop))
      }
  }

  /// The set with copies of gathered rows, whatever their elements.
  private func replacingGathers<Index: TensorElement & FixedWidthInteger>(
    _: Index.Type
  ) -> KernelSet {
    self
      .replacing(loop: GatherLoop<UInt8, Index>.self) { kernel, _, _ in
        GatheredCopies(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: GatherLoop<UInt16, Index>.self) { kernel, _, _ in
        GatheredCopies(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: GatherLoop<UInt32, Index>.self) { kernel, _, _ in
        GatheredCopies(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: GatherLoop<UInt64, Index>.self) { kernel, _, _ in
        GatheredCopies(kernel.loop).map { OptimizedKernel($0) }
      }
  }
}
