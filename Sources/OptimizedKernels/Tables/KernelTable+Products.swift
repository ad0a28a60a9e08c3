// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension KernelTable {
  /// The table with optimized kernels for sums of products of `element` activations.
  func replacingProducts(of element: ElementType, _ set: MicrokernelSet) -> KernelTable {
    switch element {
    case .float32: replacingFloatConvolutions(set).replacingFloatTransposedConvolutions(set)
    case .int8: replacingProductsOfInt8(set)
    case .uint8: replacingProductsOfUInt8(set)
    case .int16: replacingWideProducts(set)
    default: self
    }
  }

  private func replacingFloatConvolutions(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(Conv2DNest.self, FloatConvolution.self) {
        Winograd<FloatTiles>($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? FloatConvolutionParts($0.loop, $1, set.float.layout)?.optimizedKernel($2, set)
      }
      .replacing(Conv3DNest.self, FloatConvolution.self) {
        FloatProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
      }
      .replacing(DepthwiseConv2DNest.self, FloatConvolution.self) {
        LineProduct<FloatLines>($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? FloatProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? FloatDepthwise($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(FullyConnectedNest.self, FloatConvolution.self) {
        UnpackedRows($0.loop, $1, set).map { OptimizedKernel($0) }
          ?? FloatProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? FloatMatrices($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(loop: BatchMatMulLoop<FloatConvolution>.self) {
        FloatMatrices($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
          ?? RowTimesMatrices($0.loop).map { OptimizedKernel($0) }
      }
  }

  private func replacingFloatTransposedConvolutions(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(TransposeConvNest.self, FloatConvolution.self) { kernel, node, cache in
        let loop = kernel.loop
        return FloatTransposed(
          loop.nest, TransposeConvNest.positions, loop.arithmetic, node, cache, set
        ).map { OptimizedKernel($0) }
      }
      .replacing(BiasedTransposeConvNest.self, FloatConvolution.self) { kernel, node, cache in
        let loop = kernel.loop
        return FloatTransposed(
          loop.nest.nest, BiasedTransposeConvNest.positions, loop.arithmetic, node, cache, set
        ).map { OptimizedKernel($0) }
      }
  }

  private func replacingProductsOfInt8(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(Conv2DNest.self, QuantizedConvolution<Int8, Int8>.self) {
        ByteConvolutionParts($0.loop, $1, set.byte.layout)?.optimizedKernel($2, set)
      }
      .replacing(DepthwiseConv2DNest.self, QuantizedConvolution<Int8, Int8>.self) {
        LineProduct<ByteLines>($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? ByteProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? ByteDepthwise($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(TransposeConvNest.self, QuantizedConvolution<Int8, Int8>.self) {
        ByteTransposed($0.loop, $1, $2, set).map { OptimizedKernel($0) }
      }
      .replacing(FullyConnectedNest.self, QuantizedFullyConnected<Int8, Int8, Int32, Int8>.self) {
        ByteConvolutionParts($0.loop, $1, set.byte.layout)?.optimizedKernel($2, set)
          ?? ByteFewUnits($0.loop, set).map { OptimizedKernel($0) }
          ?? ByteProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? ByteMatrices($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(loop: BatchMatMulLoop<QuantizedConvolution<Int8, Int8>>.self) {
        ByteMatrices($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
  }

  private func replacingProductsOfUInt8(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(Conv2DNest.self, QuantizedConvolution<UInt8, UInt8>.self) {
        ByteConvolutionParts($0.loop, $1, set.byte.layout)?.optimizedKernel($2, set)
      }
      .replacing(DepthwiseConv2DNest.self, QuantizedConvolution<UInt8, UInt8>.self) {
        LineProduct<ByteLines>($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? ByteProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? ByteDepthwise($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(TransposeConvNest.self, QuantizedConvolution<UInt8, UInt8>.self) {
        ByteTransposed($0.loop, $1, $2, set).map { OptimizedKernel($0) }
      }
      .replacing(FullyConnectedNest.self, QuantizedFullyConnected<UInt8, UInt8, Int32, UInt8>.self)
    {
      ByteConvolutionParts($0.loop, $1, set.byte.layout)?.optimizedKernel($2, set)
        ?? ByteFewUnits($0.loop, set).map { OptimizedKernel($0) }
        ?? ByteProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
    }
  }

  /// The table with optimized kernels for 16-bit activations and 8-bit weights.
  private func replacingWideProducts(_ set: MicrokernelSet) -> KernelTable {
    self
      .replacing(DepthwiseConv2DNest.self, WideConvolution.self) { kernel, node, _ in
        WideDepthwise(kernel.loop, node).map { OptimizedKernel($0) }
      }
      .replacing(Conv2DNest.self, WideConvolution.self) { kernel, node, cache in
        let format = WideFormat(kernel.loop.arithmetic)
        return WideProduct(kernel.loop, format, node, cache, set).map {
          OptimizedKernel($0, scratch: $0.scratch)
        }
      }
      .replacing(Conv2DNest.self, QuantizedConvolution<Int16, Int8>.self) { kernel, node, cache in
        let format = WideFormat(kernel.loop.arithmetic)
        return WideProduct(kernel.loop, format, node, cache, set).map {
          OptimizedKernel($0, scratch: $0.scratch)
        }
      }
      .replacing(loop: BatchMatMulLoop<WideProducts<Int8, Int64>>.self) { kernel, node, cache in
        WideProduct(kernel.loop, node, cache, set).map {
          OptimizedKernel($0, scratch: $0.scratch)
        }
      }
      .replacingWideMatrixProducts(sum: Int64.self, set)
      .replacingWideMatrixProducts(sum: Int32.self, set)
  }

  /// The table with optimized kernels for `FULLY_CONNECTED` whose sums are `Sum`.
  private func replacingWideMatrixProducts<Sum>(
    sum: Sum.Type, _ set: MicrokernelSet
  ) -> KernelTable where Sum: TensorElement & FixedWidthInteger {
    replacing(FullyConnectedNest.self, QuantizedFullyConnected<Int16, Int8, Sum, Int16>.self) {
      kernel, node, cache in
      let format = WideFormat(kernel.loop.arithmetic)
      return WideProduct(kernel.loop, format, node, cache, set).map {
        OptimizedKernel($0, scratch: $0.scratch)
      }
    }
  }
}
