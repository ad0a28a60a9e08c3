// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelSet {
  /// The set with vectors for integers, truth values, comparisons, conversions and choices.
  func replacingPlainOperations(_ set: MicrokernelSet) -> KernelSet {
    replacingComparisons(set).replacingConversions(set)
      .replacing(binary: WrappingAddition<Int32>.self) { kernel, _, _ in
        PlainRows(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: WrappingMultiplication<Int32>.self) { kernel, _, _ in
        PlainRows(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: Extremum<Larger, Int32>.self) { kernel, _, _ in
        OptimizedKernel(PlainRows(.wordMaximum, kernel.loop.broadcast, set))
      }
      .replacing(binary: Extremum<Smaller, Int32>.self) { kernel, _, _ in
        OptimizedKernel(PlainRows(.wordMinimum, kernel.loop.broadcast, set))
      }
      .replacing(binary: Connective.self) { kernel, _, _ in
        let isConjunction = kernel.loop.arithmetic.isConjunction
        return OptimizedKernel(
          PlainRows(isConjunction ? .conjunction : .disjunction, kernel.loop.broadcast, set))
      }
      .replacing(unary: Opposite.self) { _, node, _ in
        PlainElements(.opposite, node, set).map { OptimizedKernel($0) }
      }
  }

  private func replacingComparisons(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(binary: PlainComparison<Float>.self) { kernel, _, _ in
        OptimizedKernel(ComparedRows(kernel.loop, set))
      }
      .replacing(binary: PlainComparison<Int32>.self) { kernel, _, _ in
        OptimizedKernel(ComparedRows(kernel.loop, set))
      }
      .replacing(binary: QuantizedComparison<Int8>.self) { kernel, _, _ in
        ByteComparison(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedComparison<UInt8>.self) { kernel, _, _ in
        ByteComparison(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: SelectLoop<UInt8>.self) { kernel, _, _ in
        OptimizedKernel(ChosenElements(kernel.loop))
      }
      .replacing(loop: SelectLoop<UInt16>.self) { kernel, _, _ in
        OptimizedKernel(ChosenElements(kernel.loop))
      }
      .replacing(loop: SelectLoop<UInt32>.self) { kernel, _, _ in
        OptimizedKernel(ChosenElements(kernel.loop))
      }
      .replacing(loop: SelectLoop<UInt64>.self) { kernel, _, _ in
        OptimizedKernel(ChosenElements(kernel.loop))
      }
  }

  private func replacingConversions(_ set: MicrokernelSet) -> KernelSet {
    converting(Int32.self, [.float32: .wordToFloat, .int64: .wordToLong], set)
      .converting(
        UInt8.self, [.float32: .byteToFloat, .int32: .byteToWord, .int8: .copiedByte], set
      )
      .converting(
        Int8.self,
        [.float32: .signedByteToFloat, .int32: .signedByteToWord, .uint8: .copiedByte], set
      )
      .converting(BoolByte.self, [.float32: .truthToFloat, .int32: .truthToWord], set)
      .converting(
        Float.self,
        [
          .bool: .floatToTruth, .int32: .floatToWord, .int64: .floatToLong, .uint8: .floatToByte,
          .int8: .floatToSignedByte,
        ], set
      )
      .converting(Int64.self, [.int32: .longToWord, .float32: .longToFloat], set)
  }

  /// The set with these conversions of elements, by what they become.
  @_semantics("optimize.sil.specialize.generic.never")
  private func converting<Source: CastElement>(
    _: Source.Type, _ operations: [ElementType: PlainOperation], _ set: MicrokernelSet
  ) -> KernelSet {
    replacing(loop: CastLoop<Source>.self) { _, node, _ in
      let operation = node.declaredOutputs.first.flatMap { operations[$0.elementType] }
      return PlainElements(operation, node, set).map { OptimizedKernel($0) }
    }
  }
}
