// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelSet {
  /// The set with vectors for reductions of integers and truth values.
  func replacingIntegerReductions(_ set: MicrokernelSet) -> KernelSet {
    replacingExtremes(Int8.self).replacingExtremes(UInt8.self).replacingExtremes(Int16.self)
      .replacingExtremes(Int32.self)
      .replacing(reduction: LogicalReduction.self) { kernel, _, _ in
        kernel.loop.arithmetic.isAll
          ? ExactReduction(AllRunning(), kernel.loop, truth: 1).map { OptimizedKernel($0) }
          : ExactReduction(AnyRunning(), kernel.loop, truth: 0).map { OptimizedKernel($0) }
      }
      .replacing(reduction: WrappingSumReduction<Int32>.self) { kernel, _, _ in
        ExactReduction(SumRunning<Int32>(), kernel.loop, empty: 0).map { OptimizedKernel($0) }
      }
      .replacing(reduction: QuantizedSumReduction<Int8>.self) { kernel, _, _ in
        ExactReduction(SumRunning<Int8>(), sumsOf: kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(reduction: QuantizedSumReduction<Int16>.self) { kernel, _, _ in
        ExactReduction(SumRunning<Int16>(), sumsOf: kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(reduction: QuantizedMeanReduction<Int8>.self) { kernel, _, _ in
        ColumnReduction(kernel.loop, set).map { OptimizedKernel($0, scratch: $0.scratch) }
          ?? ExactReduction(SumRunning<Int8>(), meansOf: kernel.loop, set)
          .map { OptimizedKernel($0) }
      }
      .replacing(reduction: QuantizedMeanReduction<UInt8>.self) { kernel, _, _ in
        ColumnReduction(kernel.loop, set).map { OptimizedKernel($0, scratch: $0.scratch) }
          ?? ExactReduction(SumRunning<UInt8>(), meansOf: kernel.loop, set)
          .map { OptimizedKernel($0) }
      }
  }

  @inline(__always)
  private func replacingExtremes<Element: TensorElement & FixedWidthInteger>(
    _: Element.Type
  ) -> KernelSet {
    replacing(reduction: ExtremeReduction<Element>.self) { kernel, _, _ in
      kernel.loop.arithmetic.isMaximum
        ? ExactReduction(GreatestRunning<Element>(), kernel.loop, empty: .min)
          .map { OptimizedKernel($0) }
        : ExactReduction(LeastRunning<Element>(), kernel.loop, empty: .max)
          .map { OptimizedKernel($0) }
    }
  }
}

extension ExactReduction {
  /// The reduction of `loop`, whose running results are its results; nil where nothing is reduced.
  @inline(__always)
  fileprivate convenience init?<Running: ExactRunning, Arithmetic: ReductionArithmetic>(
    _ running: Running, _ loop: ReductionLoop<Arithmetic>, empty: Running.Total
  ) where Running.Total: BitwiseCopyable, Arithmetic.Output == Running.Total {
    unsafe self.init(
      running, loop.axes, empty: empty, resultSize: MemoryLayout<Running.Total>.size
    ) { totals, count, output in
      unsafe output.copyMemory(
        from: totals, byteCount: count * MemoryLayout<Running.Total>.stride)
    }
  }

  /// The reduction of `loop`, which begins with a truth value; nil where nothing is reduced.
  @inline(__always)
  fileprivate convenience init?<Running: ExactRunning>(
    _ running: Running, _ loop: ReductionLoop<LogicalReduction>, truth: UInt8
  ) where Running.Total == UInt8 {
    unsafe self.init(running, loop.axes, empty: truth, resultSize: 1) { totals, count, output in
      let results = unsafe output.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count { unsafe results[index] = min(totals[index], 1) }
    }
  }

  /// The means of `loop`; nil where no vector kernel follows them, or nothing is reduced.
  @inline(__always)
  fileprivate convenience init?<Element: TensorElement & FixedWidthInteger>(
    _ running: SumRunning<Element>, meansOf loop: ReductionLoop<QuantizedMeanReduction<Element>>,
    _ set: MicrokernelSet
  ) {
    guard let columns = QuantizedColumnSums(loop.arithmetic, set.byte) else { return nil }
    unsafe self.init(running, loop.axes, empty: 0, resultSize: 1) { sums, count, output in
      unsafe columns.finish(UnsafeRawPointer(sums), count: count, to: output)
    }
  }

  /// The sums of `loop`; nil where nothing is reduced.
  @inline(__always)
  fileprivate convenience init?<Element: TensorElement & FixedWidthInteger>(
    _ running: SumRunning<Element>, sumsOf loop: ReductionLoop<QuantizedSumReduction<Element>>
  ) {
    let (scale, bias) = (loop.arithmetic.scale, loop.arithmetic.bias)
    let zeroPoint = loop.arithmetic.outputZeroPoint
    unsafe self.init(
      running, loop.axes, empty: 0, resultSize: MemoryLayout<Element>.size
    ) { sums, count, output in
      let results = unsafe output.assumingMemoryBound(to: Element.self)
      for index in 0..<count {
        // Beyond 2^30 every result is the greatest or the least.
        let real = unsafe (Float(sums[index]) * scale + bias).rounded(.toNearestOrAwayFromZero)
        let saturated: Element = real > 0 ? .max : .min
        unsafe results[index] =
          real.magnitude < 0x1p30 ? Element(clamping: Int32(real) &+ zeroPoint) : saturated
      }
    }
  }
}
