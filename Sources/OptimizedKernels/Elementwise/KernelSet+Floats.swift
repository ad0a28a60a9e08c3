// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

extension KernelSet {
  /// The set with optimized kernels for rectifiers, operators of two floats and what normalizes
  /// rows.
  func replacingFloatOperatorsAndNormalizations(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(unary: Clamp.self) { kernel, node, _ in
        FloatRescale(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(unary: FloatLeakyRelu.self) { kernel, node, _ in
        FloatRescale(kernel.loop, node, set).map { OptimizedKernel($0) }
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
      .replacing(binary: Extremum<Larger, Float>.self) { kernel, _, _ in
        OptimizedKernel(FloatBinary(.maximum, kernel.loop.broadcast, set))
      }
      .replacing(binary: Extremum<Smaller, Float>.self) { kernel, _, _ in
        OptimizedKernel(FloatBinary(.minimum, kernel.loop.broadcast, set))
      }
      .replacing(loop: SoftmaxLoop<Float>.self) { kernel, node, _ in
        FloatSoftmax(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(LogSoftmaxKernel.self) { kernel, node, _ in
        FloatLogSoftmax(kernel, node, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: QuantizedSoftmaxLoop<Int8, Int8>.self) { kernel, _, _ in
        OptimizedKernel(ByteSoftmax(kernel.loop))
      }
      .replacing(loop: QuantizedSoftmaxLoop<UInt8, UInt8>.self) { kernel, _, _ in
        OptimizedKernel(ByteSoftmax(kernel.loop))
      }
      .replacing(loop: QuantizedLogSoftmaxLoop<Int8>.self) { kernel, _, _ in
        OptimizedKernel(ByteLogSoftmax(kernel.loop))
      }
      .replacing(loop: QuantizedLogSoftmaxLoop<UInt8>.self) { kernel, _, _ in
        OptimizedKernel(ByteLogSoftmax(kernel.loop))
      }
      .replacing(L2NormalizationKernel.self) { kernel, node, _ in
        FloatL2Normalization(kernel, node, set).map { OptimizedKernel($0) }
      }
      .replacing(loop: QuantizedL2NormalizationLoop<Int8>.self) { kernel, node, _ in
        ByteL2Normalization(kernel.loop, node).map { OptimizedKernel($0) }
      }
      .replacing(loop: QuantizedL2NormalizationLoop<UInt8>.self) { kernel, node, _ in
        ByteL2Normalization(kernel.loop, node).map { OptimizedKernel($0) }
      }
  }
}
