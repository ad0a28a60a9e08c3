// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

extension NodeOperands {
  /// Numbers that are computed one by one: the elements of a window, as far as the picture reaches,
  /// for each output of a pooling, the input's for a reduction, none where elements only move, else
  /// the outputs'.
  var elementOperations: Int? {
    guard let code = node.identity.code else { return nil }
    switch code {
    case .averagePool2D, .maxPool2D, .l2Pool2D:
      guard let options = node.options as? Pool2DOptions, let input = input(0)?.shape,
        input.rank == 4
      else { return nil }
      return Checked.product([
        output(0)?.shape.elementCount, min(Int(options.filterHeight), input[1]),
        min(Int(options.filterWidth), input[2]),
      ])
    case .stablehloReduceWindow:
      guard let options = node.options as? StablehloReduceWindowOptions else { return nil }
      return Checked.product(
        [output(0)?.shape.elementCount] + options.windowDimensions.map { Int(exactly: $0) })
    case .mean, .sum, .reduceProd, .reduceMax, .reduceMin, .reduceAny, .reduceAll, .argMax,
      .argMin, .topKV2, .cumsum, .segmentSum, .unsortedSegmentSum, .unsortedSegmentProd,
      .unsortedSegmentMax, .unsortedSegmentMin, .where, .unique:
      return input(0)?.shape.elementCount
    case _ where Self.movements.contains(code):
      return 0
    case _:
      return Checked.sum(node.outputs.indices.map { output($0)?.shape.elementCount })
    }
  }

  /// Operators that move elements, or run subgraphs that compute, or look things up.
  private static let movements: Set<OperatorCode> = [
    .assignVariable, .batchToSpaceND, .bitcast, .broadcastArgs, .broadcastTo, .callOnce,
    .concatenation, .densify, .depthToSpace, .dilate, .dynamicUpdateSlice, .embeddingLookup,
    .expandDims, .fill, .gather, .gatherND, .hashtable, .hashtableFind, .hashtableImport,
    .hashtableLookup, .hashtableSize, .if, .matrixDiag, .matrixSetDiag, .mirrorPad, .oneHot,
    .pack, .pad, .padV2, .rank, .readVariable, .reshape, .resizeNearestNeighbor,
    .reverseSequence, .reverseV2, .scatterND, .shape, .slice, .spaceToBatchND, .spaceToDepth,
    .sparseToDense, .split, .splitV, .squeeze, .stablehloCase, .stablehloComposite,
    .stablehloGather, .stablehloPad, .stridedSlice, .tile, .transpose, .unpack, .varHandle,
    .while, .zerosLike,
  ]
}
