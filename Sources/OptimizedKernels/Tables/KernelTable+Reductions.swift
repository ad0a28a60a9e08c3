// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelTable {
  /// The table with optimized kernels for reductions of `element` values.
  func replacingReductions(of element: ElementType, _ set: MicrokernelSet) -> KernelTable {
    // The types are written out so that the loops are compiled for each.
    switch element {
    case .float32: replacingFloatReductions(set)
    case .int8:
      replacingExtremes(Int8.self, .signedByteMaximum, .signedByteMinimum, set)
        .replacing(reduction: QuantizedSumReduction<Int8>.self) { kernel, _, _ in
          ExactReduction(.signedByteSum, sumsOf: kernel.loop, set).map { OptimizedKernel($0) }
        }
        .replacing(reduction: QuantizedMeanReduction<Int8>.self) { kernel, _, _ in
          ColumnReduction(kernel.loop, set).map { OptimizedKernel($0, scratch: $0.scratch) }
            ?? ExactReduction(.signedByteSum, meansOf: kernel.loop, set)
            .map { OptimizedKernel($0) }
        }
    case .uint8:
      replacingExtremes(UInt8.self, .byteMaximum, .byteMinimum, set)
        .replacing(reduction: QuantizedMeanReduction<UInt8>.self) { kernel, _, _ in
          ColumnReduction(kernel.loop, set).map { OptimizedKernel($0, scratch: $0.scratch) }
            ?? ExactReduction(.byteSum, meansOf: kernel.loop, set).map { OptimizedKernel($0) }
        }
    case .int16:
      replacingExtremes(Int16.self, .shortMaximum, .shortMinimum, set)
        .replacing(reduction: QuantizedSumReduction<Int16>.self) { kernel, _, _ in
          ExactReduction(.shortSum, sumsOf: kernel.loop, set).map { OptimizedKernel($0) }
        }
    case .int32:
      replacingExtremes(Int32.self, .wordMaximum, .wordMinimum, set)
        .replacing(reduction: WrappingSumReduction<Int32>.self) { kernel, _, _ in
          ExactReduction(.wordSum, kernel.loop, empty: 0, set).map { OptimizedKernel($0) }
        }
    case .bool:
      replacing(reduction: LogicalReduction.self) { kernel, _, _ in
        ExactReduction(kernel.loop, set).map { OptimizedKernel($0) }
      }
    default: self
    }
  }

  private func replacingFloatReductions(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(reduction: FloatMeanReduction.self) { kernel, _, _ in
        ColumnReduction(kernel.loop, set).map { OptimizedKernel($0, scratch: $0.scratch) }
          ?? RowSums(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(reduction: FloatSumReduction.self) { kernel, _, _ in
        ColumnReduction(kernel.loop, set).map { OptimizedKernel($0, scratch: $0.scratch) }
          ?? RowSums(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(reduction: ExtremeReduction<Float>.self) { kernel, _, _ in
        ColumnReduction(kernel.loop, set).map { OptimizedKernel($0, scratch: $0.scratch) }
          ?? RowExtremes(kernel.loop, set).map { OptimizedKernel($0) }
      }
  }

  @inline(__always)
  private func replacingExtremes<Element: TensorElement & FixedWidthInteger>(
    _: Element.Type, _ maximum: PlainReduction, _ minimum: PlainReduction, _ set: MicrokernelSet
  ) -> KernelTable {
    replacing(reduction: ExtremeReduction<Element>.self) { kernel, _, _ in
      let isMaximum = kernel.loop.arithmetic.isMaximum
      return ExactReduction(
        isMaximum ? maximum : minimum, kernel.loop, empty: isMaximum ? .min : .max, set
      ).map { OptimizedKernel($0) }
    }
  }
}

extension ExactReduction {
  /// The reduction of `loop`, whose results are those of `reduction`; nil where nothing is reduced.
  @inline(__always)
  fileprivate convenience init?<Arithmetic: ReductionArithmetic>(
    _ reduction: PlainReduction, _ loop: ReductionLoop<Arithmetic>, empty: Arithmetic.Output,
    _ set: MicrokernelSet
  ) where Arithmetic.Output: BitwiseCopyable {
    let size = MemoryLayout<Arithmetic.Output>.size
    unsafe self.init(reduction, loop.axes, empty: empty, resultSize: size, set) {
      totals, count, output in
      unsafe output.copyMemory(from: totals, byteCount: count * size)
    }
  }

  /// The reduction of `loop`; nil where nothing is reduced.
  ///
  /// Any truth value is true where the greatest byte is not 0, all are where the least is not.
  fileprivate convenience init?(_ loop: ReductionLoop<LogicalReduction>, _ set: MicrokernelSet) {
    let isAll = loop.arithmetic.isAll
    unsafe self.init(
      isAll ? .byteMinimum : .byteMaximum, loop.axes, empty: UInt8(isAll ? 1 : 0), resultSize: 1,
      set
    ) { totals, count, output in
      let totals = unsafe totals.assumingMemoryBound(to: UInt8.self)
      let results = unsafe output.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count { unsafe results[index] = min(totals[index], 1) }
    }
  }

  /// The means of `loop`; nil where no vector kernel follows them, or nothing is reduced.
  fileprivate convenience init?<Element: TensorElement & FixedWidthInteger>(
    _ sum: PlainReduction, meansOf loop: ReductionLoop<QuantizedMeanReduction<Element>>,
    _ set: MicrokernelSet
  ) {
    guard let columns = QuantizedColumnSums(loop.arithmetic, set.byte) else { return nil }
    unsafe self.init(sum, loop.axes, empty: 0 as Int32, resultSize: 1, set) {
      sums, count, output in
      unsafe columns.finish(UnsafeRawPointer(sums), count: count, to: output)
    }
  }

  /// The sums of `loop`; nil where nothing is reduced.
  @inline(__always)
  fileprivate convenience init?<Element: TensorElement & FixedWidthInteger>(
    _ sum: PlainReduction, sumsOf loop: ReductionLoop<QuantizedSumReduction<Element>>,
    _ set: MicrokernelSet
  ) {
    let (scale, bias) = (loop.arithmetic.scale, loop.arithmetic.bias)
    let zeroPoint = loop.arithmetic.outputZeroPoint
    unsafe self.init(
      sum, loop.axes, empty: 0 as Int32, resultSize: MemoryLayout<Element>.size, set
    ) { sums, count, output in
      // Real numbers take the place of sums. Beyond 2^24 every result is the greatest or the least.
      let reals = unsafe sums.assumingMemoryBound(to: Float.self)
      for index in 0..<count {
        let sum = unsafe sums.load(fromByteOffset: index &* 4, as: Int32.self)
        let real = Float(sum) * scale + bias
        // NaN is the least.
        let higher = real > -0x1p24 ? real : -0x1p24
        unsafe reals[index] = higher < 0x1p24 ? higher : 0x1p24
      }
      if Element.bitWidth == 8 {
        unsafe set.byte.quantize(
          ByteConversion(
            input: reals, output: output, count: count, scale: 1, zeroPoint: zeroPoint,
            isSigned: Element.isSigned))
        return
      }
      let results = unsafe output.assumingMemoryBound(to: Element.self)
      for index in 0..<count {
        let steps = unsafe Int32(reals[index].rounded(.toNearestOrAwayFromZero))
        unsafe results[index] = Element(clamping: steps &+ zeroPoint)
      }
    }
  }
}
