// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension WideProduct {
  /// The convolution of `loop`; nil where its weights are not constant.
  convenience init?<Arithmetic>(
    _ loop: ConvolutionLoop<Conv2DNest, Arithmetic>, _ format: WideFormat, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let single = loop.nest
    guard
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: single.weightCount,
        biasByteCount: single.outputDepth * format.biasByteCount)
    else { return nil }
    let count = single.groupsOfVector(laneCount: set.byte.layout.laneCount)
    let nest = single.joiningGroups(count)
    self.init(
      ProductRows(nest, elementByteCount: 1), ProductGroups(nest),
      elementCount: nest.batchCount * nest.inputCount, format,
      single.weights(
        weights, joiningGroups: count, elementByteCount: 1,
        filler: UInt8(truncatingIfNeeded: format.filterZeroPoint)), cache, set)
  }

  /// The matrix product of `loop`; nil where its weights are not constant.
  convenience init?<Arithmetic>(
    _ loop: ConvolutionLoop<FullyConnectedNest, Arithmetic>, _ format: WideFormat,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    let groups = ProductGroups(nest)
    self.init(
      ProductRows(rowCount: nest.batchCount, rowByteCount: nest.inputCount), groups,
      elementCount: nest.batchCount * nest.inputCount, format,
      ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: groups.weightCount,
        biasByteCount: groups.columnTotal * format.biasByteCount),
      cache, set)
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
    let groups = ProductGroups(
      columnCount: nest.columnCount, depth: nest.depth, storesRows: !nest.transposesRight)
    let format = WideFormat(loop.arithmetic)
    self.init(
      ProductRows(rowCount: rowCount, rowByteCount: nest.depth), groups,
      elementCount: rowCount * nest.depth, format,
      ConstantWeights(
        node, filterByteCount: groups.weightCount,
        biasByteCount: groups.columnTotal * format.biasByteCount),
      cache, set)
  }

  /// The product of `rows`, which `elementCount` activations make up, and the matrices of `groups`.
  private convenience init?(
    _ rows: ProductRows, _ groups: ProductGroups, elementCount: Int, _ format: WideFormat,
    _ weights: ConstantWeights?, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let zeroPoint = format.filterZeroPoint
    guard rows.tapCount * rows.tapByteCount <= Self.mostTerms, (-128...127).contains(zeroPoint),
      let weights
    else { return nil }
    let matrices = groups.packed(
      weights, .sums(filterZeroPoint: zeroPoint),
      compactCount: PackedByteMatrix.compactCount(
        rowCount: rows.rowCount, modelByteCount: cache.fileByteCount),
      in: cache, for: set)
    let offsets = matrices.value.flatMap(\.columnSums).map { Int64($0) * 128 }
    guard let finish = WideFinish(format, weights, offsets: offsets) else { return nil }
    self.init(
      rows, matrices, columnCount: groups.columnCount, finish, elementCount: elementCount,
      kernels: set.byte)
  }
}
