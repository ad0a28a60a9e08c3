// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

extension KernelSet {
  /// The set with vectors for element-wise arithmetic on 16-bit quantized values.
  func replacingWords(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(binary: QuantizedAddition<Int16>.self) { kernel, _, _ in
        WordBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedMultiplication<Int16>.self) { kernel, _, _ in
        WordBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(unary: QuantizedLeakyRelu<Int16>.self) { kernel, node, _ in
        WordRescale(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
      .replacing(unary: Requantization<Int16, Int16>.self) { kernel, node, _ in
        WordRescale(kernel.loop, node, set).map { OptimizedKernel($0) }
      }
  }
}
