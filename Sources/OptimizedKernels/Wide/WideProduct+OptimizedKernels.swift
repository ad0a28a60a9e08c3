// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension WideProduct {
  /// The convolution of `loop`; nil where its weights are not constant, or it has groups.
  convenience init?<Arithmetic>(
    _ loop: ConvolutionLoop<Conv2DNest, Arithmetic>, _ format: WideFormat, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    guard nest.inputDepth == nest.groupDepth else { return nil }
    self.init(
      loop, ProductRows(nest, elementByteCount: 1), format, node, cache, set)
  }

  /// The matrix product of `loop`; nil where its weights are not constant.
  convenience init?<Arithmetic>(
    _ loop: ConvolutionLoop<FullyConnectedNest, Arithmetic>, _ format: WideFormat,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    self.init(
      loop, ProductRows(rowCount: nest.batchCount, rowByteCount: nest.inputCount), format, node,
      cache, set)
  }

  private convenience init?<Nest, Arithmetic>(
    _ loop: ConvolutionLoop<Nest, Arithmetic>, _ rows: ProductRows, _ format: WideFormat,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let (depth, columns) = (rows.tapCount * rows.tapByteCount, loop.nest.outputDepth)
    let zeroPoint = format.filterZeroPoint
    guard depth <= Self.mostTerms, (-128...127).contains(zeroPoint),
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: depth * columns,
        biasByteCount: columns * format.biasByteCount)
    else { return nil }
    let compactCount = PackedByteMatrix.compactCount(rowCount: rows.rowCount)
    let form =
      "wide product, \(set), zero \(zeroPoint), \(columns) × \(depth), compact from \(compactCount)"
    let matrix = weights.packed(in: cache, form: form) {
      unsafe PackedByteMatrix(
        ByteMatrixSource(
          weights: weights.filterAddress(as: UInt8.self), isSigned: true, zeroPoint: zeroPoint,
          columnStride: depth, depthStride: 1, columnCount: columns, depth: depth,
          activationZeroPoint: 128), set.byte.layout,
        compactCount: compactCount, allocate: $0)
    }
    let offsets = matrix.value.columnSums.map { Int64($0) * 128 }
    guard let finish = WideFinish(format, weights, offsets: offsets) else { return nil }
    self.init(
      rows, matrix, finish, elementCount: loop.nest.batchCount * loop.nest.inputCount,
      kernels: set.byte)
  }
}
