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
      ProductRows(nest, elementByteCount: 1), unpacked: loop.unpackedFilter,
      columnCount: nest.outputDepth, elementCount: nest.batchCount * nest.inputCount, format, node,
      cache, set)
  }

  /// The matrix product of `loop`; nil where its weights are not constant.
  convenience init?<Arithmetic>(
    _ loop: ConvolutionLoop<FullyConnectedNest, Arithmetic>, _ format: WideFormat,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    self.init(
      ProductRows(rowCount: nest.batchCount, rowByteCount: nest.inputCount),
      unpacked: loop.unpackedFilter, columnCount: nest.outputDepth,
      elementCount: nest.batchCount * nest.inputCount, format, node, cache, set)
  }

  /// The products of `loop`; nil where left matrices are stored column by column, or the right one is
  /// not constant or not the only one.
  convenience init?(
    _ loop: BatchMatMulLoop<WideProducts<Int8, Int64>>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    let rowCount = nest.leftBatch.elementCount * nest.rowCount
    guard !nest.storesLeftColumns, nest.rightBatch.elementCount == 1, rowCount > 0,
      nest.depth * nest.columnCount > 0
    else { return nil }
    self.init(
      ProductRows(rowCount: rowCount, rowByteCount: nest.depth), storesRows: !nest.transposesRight,
      columnCount: nest.columnCount, elementCount: rowCount * nest.depth,
      WideFormat(loop.arithmetic), node, cache, set)
  }

  /// The product of `rows`, which `elementCount` activations make up, and the filter, whose rows, not
  /// columns, are behind each other if it `storesRows`.
  private convenience init?(
    _ rows: ProductRows, unpacked: TensorBytes? = nil, storesRows: Bool = false, columnCount: Int,
    elementCount: Int, _ format: WideFormat, _ node: PrepareContext, _ cache: WeightCache,
    _ set: MicrokernelSet
  ) {
    let depth = rows.tapCount * rows.tapByteCount
    let zeroPoint = format.filterZeroPoint
    guard depth <= Self.mostTerms, (-128...127).contains(zeroPoint),
      let weights = ConstantWeights(
        node, unpacked: unpacked, filterByteCount: depth * columnCount,
        biasByteCount: columnCount * format.biasByteCount)
    else { return nil }
    let compactCount = PackedByteMatrix.compactCount(
      rowCount: rows.rowCount, modelByteCount: cache.fileByteCount)
    let form = WeightForm(
      storesRows ? "wide product of rows" : "wide product", set,
      [Int(zeroPoint), columnCount, depth, compactCount])
    let matrix = weights.packed(in: cache, form: form) {
      unsafe PackedByteMatrix(
        ByteMatrixSource(
          weights: weights.filterAddress(as: UInt8.self), isSigned: true, zeroPoint: zeroPoint,
          columnStride: storesRows ? 1 : depth, depthStride: storesRows ? columnCount : 1,
          columnCount: columnCount, depth: depth, activationZeroPoint: 128), set.byte.layout,
        compactCount: compactCount, allocate: $0)
    }
    let offsets = matrix.value.columnSums.map { Int64($0) * 128 }
    guard let finish = WideFinish(format, weights, offsets: offsets) else { return nil }
    self.init(rows, matrix, finish, elementCount: elementCount, kernels: set.byte)
  }
}
