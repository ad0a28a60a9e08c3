// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelTable {
  /// The table with optimized kernels for arithmetic of two operands, of which the first has
  /// elements of type `element`.
  func replacingBinary(of element: ElementType, _ set: MicrokernelSet) -> KernelTable {
    switch element {
    case .float32: replacingBinaryOfFloats(set)
    case .int8: replacingBinaryOfInt8(set)
    case .uint8: replacingBinaryOfUInt8(set)
    case .int16: replacingBinaryOfInt16(set)
    case .int32: replacingBinaryOfInt32(set)
    case .bool: replacingConnectives(set)
    default: self
    }
  }

  private func replacingBinaryOfFloats(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(binary: FloatAddition<Float>.self) { kernel, _, _ in
        OptimizedKernel(FloatBinary(kernel.loop, set))
      }
      .replacing(binary: FloatMultiplication<Float>.self) { kernel, _, _ in
        OptimizedKernel(FloatBinary(kernel.loop, set))
      }
      .replacing(binary: FloatDivision.self) { kernel, _, _ in
        OptimizedKernel(FloatBinary(kernel.loop, set))
      }
      .replacing(binary: FloatPrelu.self) { kernel, _, _ in
        OptimizedKernel(FloatBinary(.slopeBelowZero, kernel.loop.broadcast, set))
      }
      .replacing(binary: FloatSquaredDifference.self) { kernel, _, _ in
        OptimizedKernel(FloatBinary(.squaredDifference, kernel.loop.broadcast, set))
      }
      .replacingExtrema(of: Float.self) { broadcast, isMaximum in
        OptimizedKernel(FloatBinary(isMaximum ? .maximum : .minimum, broadcast, set))
      }
      .replacing(binary: PlainComparison<Float>.self) { kernel, _, _ in
        OptimizedKernel(ComparedRows(kernel.loop, set))
      }
  }

  private func replacingBinaryOfInt8(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(binary: QuantizedAddition<Int8>.self) { kernel, _, _ in
        ByteBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedMultiplication<Int8>.self) { kernel, _, _ in
        ByteBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedSquaredDifference.self) { kernel, _, _ in
        ByteBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedPrelu<Int8, Int8>.self) { kernel, _, _ in
        BytePrelu(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedComparison<Int8>.self) { kernel, _, _ in
        ByteComparison(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacingExtrema(of: Int8.self) { broadcast, isMaximum in
        OptimizedKernel(ByteExtremum(broadcast, isMaximum: isMaximum, isSigned: true, set))
      }
  }

  private func replacingBinaryOfUInt8(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(binary: QuantizedAddition<UInt8>.self) { kernel, _, _ in
        ByteBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedMultiplication<UInt8>.self) { kernel, _, _ in
        ByteBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedPrelu<UInt8, UInt8>.self) { kernel, _, _ in
        BytePrelu(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedComparison<UInt8>.self) { kernel, _, _ in
        ByteComparison(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacingExtrema(of: UInt8.self) { broadcast, isMaximum in
        OptimizedKernel(ByteExtremum(broadcast, isMaximum: isMaximum, isSigned: false, set))
      }
  }

  private func replacingBinaryOfInt16(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(binary: QuantizedAddition<Int16>.self) { kernel, _, _ in
        WordBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedMultiplication<Int16>.self) { kernel, _, _ in
        WordBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
  }

  private func replacingBinaryOfInt32(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(binary: WrappingAddition<Int32>.self) { kernel, _, _ in
        PlainRows(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: WrappingMultiplication<Int32>.self) { kernel, _, _ in
        PlainRows(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: PlainComparison<Int32>.self) { kernel, _, _ in
        OptimizedKernel(ComparedRows(kernel.loop, set))
      }
      .replacingExtrema(of: Int32.self) { broadcast, isMaximum in
        OptimizedKernel(PlainRows(isMaximum ? .wordMaximum : .wordMinimum, broadcast, set))
      }
  }

  private func replacingConnectives(_ set: MicrokernelSet) -> KernelTable {
    replacing(binary: Connective.self) { kernel, _, _ in
      let isConjunction = kernel.loop.arithmetic.isConjunction
      return OptimizedKernel(
        PlainRows(isConjunction ? .conjunction : .disjunction, kernel.loop.broadcast, set))
    }
  }

  /// The table with optimized kernels for the larger, or the smaller, of two elements.
  @_semantics("optimize.sil.specialize.generic.never")
  private func replacingExtrema<Element: TensorElement & Comparable>(
    of _: Element.Type,
    with make: @escaping @Sendable (Broadcast, _ isMaximum: Bool) -> OptimizedKernel
  ) -> KernelTable {
    self
      .replacing(binary: Extremum<Larger, Element>.self) { kernel, _, _ in
        make(kernel.loop.broadcast, true)
      }
      .replacing(binary: Extremum<Smaller, Element>.self) { kernel, _, _ in
        make(kernel.loop.broadcast, false)
      }
  }
}
