// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension HybridProduct {
  /// The optimized kernel for a convolution; nil where its weights are not constant.
  static func optimizedKernel(
    _ loop: HybridConvolutionLoop<Conv2DNest, HybridConvolution>, _ node: PrepareContext,
    _ cache: WeightCache,
    _ set: MicrokernelSet
  ) -> KernelSet.OptimizedKernel? {
    let single = loop.nest
    guard
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: single.weightCount,
        biasByteCount: single.outputDepth * 4)
    else { return nil }
    let count = single.groupsOfVector(laneCount: set.byte.layout.laneCount)
    let nest = single.joiningGroups(count)
    let joined = single.weights(weights, joiningGroups: count, elementByteCount: 1, filler: 0)
    if let kernel = lines(loop, nest, joined, cache, set) { return kernel }
    let rows = ProductRows(nest, elementByteCount: 1, imageCount: 1)
    let images = HybridImages(
      count: nest.batchCount, elementCount: nest.inputCount, isByRow: false,
      paddingByteCount: rows.tapByteCount, quantization: loop.quantization,
      kernels: set.byte.hybrid)
    return optimizedKernel(
      loop.arithmetic, rows, ProductGroups(nest), images, joined, cache, set)
  }

  /// The kernel for a convolution of few channels, with the loops of `nest`; nil where windows are
  /// better copied one by one.
  private static func lines(
    _ loop: HybridConvolutionLoop<Conv2DNest, HybridConvolution>, _ nest: Conv2DNest,
    _ weights: ConstantWeights, _ cache: WeightCache, _ set: MicrokernelSet
  ) -> KernelSet.OptimizedKernel? {
    guard let windows = LineWindows(nest, set.byte.layout) else { return nil }
    let groups = ProductGroups(nest, windows, set.byte.layout)
    let matrices = groups.packed(weights, .sums(), in: cache, for: set)
    let format = HybridFormat(
      loop.arithmetic, weights, columnSums: matrices.value.flatMap(\.columnSums))
    guard
      let product = LineProduct(
        windows,
        HybridLines(matrices, columnCount: groups.columnCount, format, kernels: set.byte))
    else { return nil }
    let images = HybridImages(
      count: nest.batchCount, elementCount: nest.inputCount, isByRow: false, paddingByteCount: 0,
      quantization: loop.quantization, kernels: set.byte.hybrid)
    return KernelSet.OptimizedKernel(
      HybridLineProduct(product, images: images), scratch: images.scratch)
  }

  /// The optimized kernel for a matrix product; nil where its weights are not constant.
  static func optimizedKernel(
    _ loop: HybridConvolutionLoop<FullyConnectedNest, HybridConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) -> KernelSet.OptimizedKernel? {
    let nest = loop.nest
    let groups = ProductGroups(nest)
    guard
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: groups.weightCount,
        biasByteCount: groups.columnTotal * 4)
    else { return nil }
    let rows = ProductRows(rowCount: nest.batchCount, rowByteCount: nest.inputCount)
    let images = HybridImages(
      count: nest.batchCount, elementCount: nest.inputCount, isByRow: true, paddingByteCount: 0,
      quantization: loop.quantization, kernels: set.byte.hybrid)
    return optimizedKernel(loop.arithmetic, rows, groups, images, weights, cache, set)
  }

  private static func optimizedKernel(
    _ arithmetic: HybridConvolution, _ rows: ProductRows, _ groups: ProductGroups,
    _ images: HybridImages, _ weights: ConstantWeights, _ cache: WeightCache,
    _ set: MicrokernelSet
  ) -> KernelSet.OptimizedKernel {
    // Quantized values are signed and their zero point varies: it comes in with the columns' sums.
    let matrices = groups.packed(
      weights, .sums(),
      compactCount: PackedByteMatrix.compactCount(
        rowCount: rows.rowCount, modelByteCount: cache.fileByteCount),
      in: cache, for: set)
    let format = HybridFormat(
      arithmetic, weights, columnSums: matrices.value.flatMap(\.columnSums))
    let kernel = HybridProduct(
      rows, matrices, columnCount: groups.columnCount, format, images: images, kernels: set.byte)
    return KernelSet.OptimizedKernel(kernel, scratch: images.scratch)
  }
}
