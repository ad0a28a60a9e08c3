// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelSet {
  /// The set with vector code for what chooses between codes and converts them.
  func replacingCodes(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(BinaryKernel<Extremum<Greater, Int8>>.self) { kernel, _, _ in
        StandIn(ByteExtremum(kernel.loop.broadcast, isMaximum: true, isSigned: true))
      }
      .replacing(BinaryKernel<Extremum<Greater, UInt8>>.self) { kernel, _, _ in
        StandIn(ByteExtremum(kernel.loop.broadcast, isMaximum: true, isSigned: false))
      }
      .replacing(BinaryKernel<Extremum<Less, Int8>>.self) { kernel, _, _ in
        StandIn(ByteExtremum(kernel.loop.broadcast, isMaximum: false, isSigned: true))
      }
      .replacing(BinaryKernel<Extremum<Less, UInt8>>.self) { kernel, _, _ in
        StandIn(ByteExtremum(kernel.loop.broadcast, isMaximum: false, isSigned: false))
      }
      .replacing(LoopKernel<QuantizeLoop<WholeCodes<Int8>>>.self) { kernel, node, _ in
        CodeConversion(kernel.loop, node, set).map { StandIn($0) }
      }
      .replacing(LoopKernel<QuantizeLoop<WholeCodes<UInt8>>>.self) { kernel, node, _ in
        CodeConversion(kernel.loop, node, set).map { StandIn($0) }
      }
      .replacing(LoopKernel<DequantizeLoop<WholeCodes<Int8>>>.self) { kernel, node, _ in
        CodeConversion(kernel.loop, node, set).map { StandIn($0) }
      }
      .replacing(LoopKernel<DequantizeLoop<WholeCodes<UInt8>>>.self) { kernel, node, _ in
        CodeConversion(kernel.loop, node, set).map { StandIn($0) }
      }
  }

  /// The set with copies of whole rows for movements of elements.
  func replacingMovements(_ set: MicrokernelSet) -> KernelSet {
    replacingGathers(Int32.self).replacingGathers(Int64.self)
      .replacing(RescalingConcatenationKernel.self) { kernel, _, _ in
        StandIn(RescaledRuns(kernel, set))
      }
      .replacing(BoxCopyKernel<UInt8>.self) { kernel, _, _ in StandIn(BoxRows(kernel.loop)) }
      .replacing(BoxCopyKernel<UInt16>.self) { kernel, _, _ in StandIn(BoxRows(kernel.loop)) }
      .replacing(BoxCopyKernel<UInt32>.self) { kernel, _, _ in StandIn(BoxRows(kernel.loop)) }
      .replacing(BoxCopyKernel<UInt64>.self) { kernel, _, _ in StandIn(BoxRows(kernel.loop)) }
  }

  /// The set with copies of gathered rows, whatever their elements.
  private func replacingGathers<Index: TensorElement & FixedWidthInteger>(
    _: Index.Type
  ) -> KernelSet {
    self
      .replacing(GatherKernel<UInt8, Index>.self) { kernel, _, _ in
        GatheredCopies(kernel.loop).map { StandIn($0) }
      }
      .replacing(GatherKernel<UInt16, Index>.self) { kernel, _, _ in
        GatheredCopies(kernel.loop).map { StandIn($0) }
      }
      .replacing(GatherKernel<UInt32, Index>.self) { kernel, _, _ in
        GatheredCopies(kernel.loop).map { StandIn($0) }
      }
      .replacing(GatherKernel<UInt64, Index>.self) { kernel, _, _ in
        GatheredCopies(kernel.loop).map { StandIn($0) }
      }
  }
}
