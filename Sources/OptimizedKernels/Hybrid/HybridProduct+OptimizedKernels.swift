// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension HybridProduct {
  /// The optimized kernel for a convolution; nil where its weights are not constant.
  static func optimizedKernel(
    _ loop: HybridConvolutionLoop<Conv2DNest, HybridConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) -> KernelSet.OptimizedKernel? {
    let single = loop.nest
    guard
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: single.weightCount,
        biasByteCount: single.outputDepth * 4)
    else { return nil }
    let (layout, count) = (
      set.byte.layout, single.groupsOfVector(laneCount: set.byte.layout.laneCount)
    )
    let nest = single.joiningGroups(count)
    let parts = HybridProductParts(
      loop,
      single.weights(weights, joiningGroups: count, elementByteCount: 1, filler: 0),
      cache, set)
    return LineWindows(nest, layout).flatMap { windows in
      parts.lines(windows, ProductGroups(nest, windows, layout))
    }
      ?? parts.product(
        ProductRows(nest, elementByteCount: 1, imageCount: 1), ProductGroups(nest))
  }

  /// The optimized kernel for a depthwise convolution of one channel; nil for others, and where
  /// weights are not constant.
  static func optimizedKernel(
    _ loop: HybridConvolutionLoop<DepthwiseConv2DNest, HybridConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) -> KernelSet.OptimizedKernel? {
    let (nest, groups) = (loop.nest, ProductGroups(loop.nest))
    guard nest.inputDepth == 1, nest.outputDepth > 1,
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: groups.weightCount,
        biasByteCount: groups.columnTotal * 4)
    else { return nil }
    let parts = HybridProductParts(loop, weights, cache, set)
    return LineWindows(nest, set.byte.layout).flatMap { windows in
      parts.lines(windows, ProductGroups(nest, windows, set.byte.layout))
    } ?? parts.product(ProductRows(nest.geometry, pixelByteCount: 1, imageCount: 1), groups)
  }

  /// The optimized kernel for a matrix product; nil where its weights are not constant.
  static func optimizedKernel(
    _ loop: HybridConvolutionLoop<FullyConnectedNest, HybridConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) -> KernelSet.OptimizedKernel? {
    let (nest, groups) = (loop.nest, ProductGroups(loop.nest))
    guard
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: groups.weightCount,
        biasByteCount: groups.columnTotal * 4)
    else { return nil }
    let parts = HybridProductParts(loop, weights, cache, set)
    return parts.product(
      ProductRows(rowCount: nest.batchCount, rowByteCount: nest.inputCount), groups,
      isByRow: true)
  }
}

/// What the kernels for a hybrid product are made of.
private struct HybridProductParts {
  private let arithmetic: HybridConvolution
  private let quantization: HybridQuantization
  private let imageCount: Int
  private let elementCount: Int
  private let weights: ConstantWeights
  private let cache: WeightCache
  private let set: MicrokernelSet

  init<Nest: ConvolutionNest>(
    _ loop: HybridConvolutionLoop<Nest, HybridConvolution>, _ weights: ConstantWeights,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    (arithmetic, quantization) = (loop.arithmetic, loop.quantization)
    (imageCount, elementCount) = (loop.nest.batchCount, loop.nest.inputCount)
    (self.weights, self.cache, self.set) = (weights, cache, set)
  }

  /// The product of windows that are read where they overlap; nil where they are better copied.
  func lines(_ windows: LineWindows, _ groups: ProductGroups) -> KernelSet.OptimizedKernel? {
    let matrices = groups.packed(weights, .sums(), in: cache, for: set)
    let lines = HybridLines(
      matrices, columnCount: groups.columnCount, format(matrices), kernels: set.byte)
    guard let product = LineProduct(windows, lines) else { return nil }
    let images = images(isByRow: false, paddingByteCount: 0)
    return KernelSet.OptimizedKernel(
      HybridLineProduct(product, images: images), scratch: images.scratch)
  }

  /// The product of rows: those of one image, or all rows where each is an image of its own.
  func product(
    _ rows: ProductRows, _ groups: ProductGroups, isByRow: Bool = false
  ) -> KernelSet.OptimizedKernel {
    let matrices = groups.packed(
      weights, .sums(),
      compactCount: PackedByteMatrix.compactCount(
        rowCount: rows.rowCount, modelByteCount: cache.fileByteCount),
      in: cache, for: set)
    let images = images(
      isByRow: isByRow, paddingByteCount: isByRow ? 0 : rows.tapByteCount)
    let kernel = HybridProduct(
      rows, matrices, columnCount: groups.columnCount, format(matrices), images: images,
      kernels: set.byte)
    return KernelSet.OptimizedKernel(kernel, scratch: images.scratch)
  }

  // Quantized values are signed and their zero point varies: it comes in with the columns' sums.
  private func format(_ matrices: ByteProduct.Matrices) -> HybridFormat {
    HybridFormat(arithmetic, weights, columnSums: matrices.value.flatMap(\.columnSums))
  }

  private func images(isByRow: Bool, paddingByteCount: Int) -> HybridImages {
    HybridImages(
      count: imageCount, elementCount: elementCount, isByRow: isByRow,
      paddingByteCount: paddingByteCount, quantization: quantization,
      kernels: set.byte.hybrid)
  }
}
