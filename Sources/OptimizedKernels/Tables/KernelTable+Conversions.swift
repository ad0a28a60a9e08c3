// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelTable {
  /// The table with optimized kernels for what quantizes values to, and dequantizes, `element`.
  func replacingQuantizations(of element: ElementType, _ set: MicrokernelSet) -> KernelTable {
    switch element {
    case .int8: replacingQuantizations(Int8.self, set)
    case .uint8: replacingQuantizations(UInt8.self, set)
    default: self
    }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func replacingQuantizations<Quantized: TensorElement & FixedWidthInteger>(
    _: Quantized.Type, _ set: MicrokernelSet
  ) -> KernelTable {
    self
      .replacing(loop: QuantizeLoop<WholeElements<Quantized>>.self) { kernel, node, _ in
        QuantizedConversion(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: DequantizeLoop<WholeElements<Quantized>>.self) { kernel, node, _ in
        QuantizedConversion(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
  }

  /// The table with optimized kernels for conversions of plain numbers of type `element`.
  func replacingCasts(of element: ElementType, _ set: MicrokernelSet) -> KernelTable {
    replacingAll { node in
      let result = node.declaredOutputs.first?.elementType
      let operation = result.flatMap { PlainOperation.conversion(of: element, to: $0) }
      return PlainElements(operation, node, set).map { OptimizedKernel($0) }
    }
  }
}

extension PlainOperation {
  /// What converts elements of a type to those of another; nil where there is no vector code.
  fileprivate static func conversion(
    of element: ElementType, to result: ElementType
  ) -> PlainOperation? {
    switch (element, result) {
    case (.int32, .float32): .wordToFloat
    case (.int32, .int64): .wordToLong
    case (.int64, .int32): .longToWord
    case (.int64, .float32): .longToFloat
    case (.uint8, .float32): .byteToFloat
    case (.uint8, .int32): .byteToWord
    case (.int8, .float32): .signedByteToFloat
    case (.int8, .int32): .signedByteToWord
    case (.uint8, .int8), (.int8, .uint8): .copiedByte
    case (.bool, .float32): .truthToFloat
    case (.bool, .int32): .truthToWord
    case (.float32, .bool): .floatToTruth
    case (.float32, .int32): .floatToWord
    case (.float32, .int64): .floatToLong
    case (.float32, .uint8): .floatToByte
    case (.float32, .int8): .floatToSignedByte
    default: nil
    }
  }
}
