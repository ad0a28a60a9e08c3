// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelTable {
  /// The table with optimized kernels for arithmetic of one operand with elements of type `element`.
  func replacingUnary(of element: ElementType, _ set: MicrokernelSet) -> KernelTable {
    switch element {
    case .float32: replacingRectifiers(set)
    case .int8:
      replacingTables(of: Int8.self, set)
        .tabulating(Requantization<Int8, Int8>.self, set)
        .tabulating(Requantization<Int8, UInt8>.self, set)
        .tabulating(QuantizedLeakyRelu<Int8>.self, set)
        .tabulating(QuantizedHardSwish<Int8>.self, set)
    case .uint8:
      replacingTables(of: UInt8.self, set)
        .tabulating(Requantization<UInt8, UInt8>.self, set)
        .tabulating(Requantization<UInt8, Int8>.self, set)
        .tabulating(QuantizedLeakyRelu<UInt8>.self, set)
        .tabulating(QuantizedHardSwish<UInt8>.self, set)
    case .int16: replacingWords(set)
    case .float16:
      replacing(unary: Widening.self) { _, node, _ in
        PlainElements(.halfToFloat, node, set).map { OptimizedKernel($0) }
      }
    case .bool:
      replacing(unary: Opposite.self) { _, node, _ in
        PlainElements(.opposite, node, set).map { OptimizedKernel($0) }
      }
    default: self
    }
  }

  private func replacingRectifiers(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(unary: Clamp.self) { kernel, node, _ in
        FloatRescale(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(unary: FloatLeakyRelu.self) { kernel, node, _ in
        FloatRescale(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
  }

  private func replacingWords(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(unary: QuantizedLeakyRelu<Int16>.self) { kernel, node, _ in
        WordRescale(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(unary: Requantization<Int16, Int16>.self) { kernel, node, _ in
        WordRescale(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(unary: InterpolatedTable.self) { kernel, node, _ in
        WordInterpolationMap(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(unary: Int16Logistic.self) { kernel, node, _ in
        WordSigmoidMap(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(unary: Int16Tanh.self) { kernel, node, _ in
        WordSigmoidMap(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func replacingTables<Element: TensorElement & FixedWidthInteger>(
    of _: Element.Type, _ set: MicrokernelSet
  ) -> KernelTable {
    replacing(unary: ByteTable<Element>.self) { kernel, node, _ in
      QuantizedTable(kernel.loop.arithmetic, node, set).map { OptimizedKernel($0) }
    }
  }

  /// The table with tables for a function of 8-bit quantized values.
  private func tabulating<Arithmetic: UnaryArithmetic>(
    _ type: Arithmetic.Type, _ set: MicrokernelSet
  ) -> KernelTable {
    replacing(unary: Arithmetic.self) { kernel, node, _ in
      QuantizedTable(tabulating: kernel, node, set).map { OptimizedKernel($0) }
    }
  }
}
