// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

extension KernelSet {
  /// The set with stand-ins for rectifiers, operators of two floats and what normalises rows.
  func replacingFloatOperatorsAndNormalizations(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(unary: Clamp.self) { kernel, node, _ in
        FloatRescale(kernel.loop, node, set).map { StandIn($0) }
      }
      .replacing(unary: FloatLeakyRelu.self) { kernel, node, _ in
        FloatRescale(kernel.loop, node, set).map { StandIn($0) }
      }
      .replacing(binary: FloatDivision.self) { kernel, _, _ in
        StandIn(FloatBinary(kernel.loop, set))
      }
      .replacing(binary: FloatPrelu.self) { kernel, _, _ in
        StandIn(FloatBinary(.slopeBelowZero, kernel.loop.broadcast, set))
      }
      .replacing(binary: FloatSquaredDifference.self) { kernel, _, _ in
        StandIn(FloatBinary(.squaredDifference, kernel.loop.broadcast, set))
      }
      .replacing(binary: Extremum<Greater, Float>.self) { kernel, _, _ in
        StandIn(FloatBinary(.maximum, kernel.loop.broadcast, set))
      }
      .replacing(binary: Extremum<Less, Float>.self) { kernel, _, _ in
        StandIn(FloatBinary(.minimum, kernel.loop.broadcast, set))
      }
      .replacing(loop: SoftmaxLoop<Float>.self) { kernel, node, _ in
        FloatSoftmax(kernel.loop, node, set).map { StandIn($0) }
      }
      .replacing(loop: QuantizedSoftmaxLoop<Int8, Int8>.self) { kernel, _, _ in
        StandIn(ByteSoftmax(kernel.loop))
      }
      .replacing(loop: QuantizedSoftmaxLoop<UInt8, UInt8>.self) { kernel, _, _ in
        StandIn(ByteSoftmax(kernel.loop))
      }
      .replacing(L2NormalizationKernel.self) { kernel, node, _ in
        FloatL2Normalization(kernel, node, set).map { StandIn($0) }
      }
      .replacing(loop: QuantizedL2NormalizationLoop<Int8>.self) { kernel, node, _ in
        ByteL2Normalization(kernel.loop, node).map { StandIn($0) }
      }
      .replacing(loop: QuantizedL2NormalizationLoop<UInt8>.self) { kernel, node, _ in
        ByteL2Normalization(kernel.loop, node).map { StandIn($0) }
      }
  }
}
