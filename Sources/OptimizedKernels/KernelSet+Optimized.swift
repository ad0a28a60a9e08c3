// SPDX-License-Identifier: Apache-2.0

package import Microkernels
public import ReferenceKernels

extension KernelSet {
  /// The reference kernels with every faster stand-in there is.
  public static let optimized = optimized(for: .selected)

  /// The set whose stand-ins use the microkernels of one instruction-set level.
  package static func optimized(for set: MicrokernelSet) -> KernelSet {
    KernelSet("optimized")
      .replacing(Conv2DKernel<FloatConvolution>.self) { kernel, node, weights in
        FloatProduct(kernel.loop, node, weights, set).map { StandIn($0) }
      }
      .replacing(Conv2DKernel<QuantizedConvolution<Int8, Int8>>.self) { kernel, node, weights in
        ByteProduct(kernel.loop, node, weights, set).map { StandIn($0) }
      }
      .replacing(Conv2DKernel<QuantizedConvolution<UInt8, UInt8>>.self) { kernel, node, weights in
        ByteProduct(kernel.loop, node, weights, set).map { StandIn($0) }
      }
      .replacing(DepthwiseConv2DKernel<FloatConvolution>.self) { kernel, node, weights in
        FloatDepthwise(kernel.loop, node, weights, set).map { StandIn($0) }
      }
      .replacing(DepthwiseConv2DKernel<QuantizedConvolution<Int8, Int8>>.self) {
        ByteDepthwise($0.loop, $1, $2, set).map { StandIn($0) }
      }
      .replacing(DepthwiseConv2DKernel<QuantizedConvolution<UInt8, UInt8>>.self) {
        ByteDepthwise($0.loop, $1, $2, set).map { StandIn($0) }
      }
      .replacing(FullyConnectedKernel<FloatConvolution>.self) { kernel, node, weights in
        FloatProduct(kernel.loop, node, weights, set).map { StandIn($0) }
      }
      .replacing(
        FullyConnectedKernel<QuantizedFullyConnected<Int8, Int8, Int32, Int8>>.self
      ) { kernel, node, weights in
        ByteProduct(kernel.loop, node, weights, set).map { StandIn($0) }
      }
      .replacing(
        FullyConnectedKernel<QuantizedFullyConnected<UInt8, UInt8, Int32, UInt8>>.self
      ) { kernel, node, weights in
        ByteProduct(kernel.loop, node, weights, set).map { StandIn($0) }
      }
  }
}
