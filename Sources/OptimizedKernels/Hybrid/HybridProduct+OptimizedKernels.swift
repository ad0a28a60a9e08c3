// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension HybridProduct {
  /// The optimized kernel for a convolution; nil where its weights are not constant, or it has
  /// groups.
  static func optimizedKernel(
    _ loop: HybridConvolutionLoop<Conv2DNest, HybridConvolution>, _ node: PrepareContext,
    _ cache: WeightCache,
    _ set: MicrokernelSet
  ) -> KernelSet.OptimizedKernel? {
    let nest = loop.nest
    guard nest.inputDepth == nest.groupDepth else { return nil }
    let rows = ProductRows(nest, elementByteCount: 1, imageCount: 1)
    let images = HybridImages(
      count: nest.batchCount, elementCount: nest.inputCount, isByRow: false,
      paddingByteCount: rows.tapByteCount, quantization: loop.quantization,
      kernels: set.byte.hybrid)
    return optimizedKernel(loop, rows, images, node, cache, set)
  }

  /// The optimized kernel for a matrix product; nil where its weights are not constant.
  static func optimizedKernel(
    _ loop: HybridConvolutionLoop<FullyConnectedNest, HybridConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) -> KernelSet.OptimizedKernel? {
    let nest = loop.nest
    let rows = ProductRows(rowCount: nest.batchCount, rowByteCount: nest.inputCount)
    let images = HybridImages(
      count: nest.batchCount, elementCount: nest.inputCount, isByRow: true, paddingByteCount: 0,
      quantization: loop.quantization, kernels: set.byte.hybrid)
    return optimizedKernel(loop, rows, images, node, cache, set)
  }

  private static func optimizedKernel<Nest: ConvolutionNest>(
    _ loop: HybridConvolutionLoop<Nest, HybridConvolution>, _ rows: ProductRows,
    _ images: HybridImages,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) -> KernelSet.OptimizedKernel? {
    let depth = rows.tapCount * rows.tapByteCount
    let columnCount = loop.nest.outputDepth
    guard
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: depth * columnCount,
        biasByteCount: columnCount * 4)
    else { return nil }
    let compactCount = PackedByteMatrix.compactCount(
      rowCount: rows.rowCount, modelByteCount: cache.fileByteCount)
    let form = WeightForm("hybrid product", set, [columnCount, depth, compactCount])
    let matrix = weights.packed(in: cache, form: form) {
      // Quantized values are signed and their zero point varies: it comes in with the columns'
      // sums.
      unsafe PackedByteMatrix(
        ByteMatrixSource(
          weights: weights.filterAddress(as: UInt8.self), isSigned: true, zeroPoint: 0,
          columnStride: depth, depthStride: 1, columnCount: columnCount, depth: depth,
          activationZeroPoint: 128), set.byte.layout,
        compactCount: compactCount, allocate: $0)
    }
    let format = HybridFormat(
      loop.arithmetic, weights, columnSums: matrix.value.columnSums)
    let kernel = HybridProduct(rows, matrix, format, images: images, kernels: set.byte)
    return KernelSet.OptimizedKernel(kernel, scratch: images.scratch)
  }
}
