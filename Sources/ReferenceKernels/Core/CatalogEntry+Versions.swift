// SPDX-License-Identifier: Apache-2.0

package import ModelFormat

/// The highest version of each operator that the kernels compute.
///
/// A version says which types and options a node may use; kernels find that in the node itself,
/// so all versions up to the highest run alike. Measured: what LiteRT 2.3.0's resolvers accept.
extension CatalogEntry {
  /// The highest version of the operator that runs; lower ones run, too.
  package var highestVersion: Int { Self.highestVersions[code] ?? 1 }

  private static let highestVersions: [OperatorCode: Int] = {
    let codes: [(version: Int, codes: [OperatorCode])] = [
      (
        2,
        [
          .depthToSpace, .l2Normalization, .spaceToDepth, .div, .squeeze, .exp,
          .logSoftmax, .greater, .lessEqual, .sin, .log, .sum, .sqrt, .fakeQuant,
          .reduceProd, .floorMod, .range, .leakyRelu, .squaredDifference, .cos,
          .where, .selectV2, .sign,
        ]
      ),
      (
        3,
        [
          .averagePool2D, .logistic, .maxPool2D, .relu, .relu6, .rnn, .tanh,
          .unidirectionalSequenceRNN, .mean, .bidirectionalSequenceRNN, .topKV2,
          .bidirectionalSequenceLSTM, .argMax, .less, .greaterEqual, .sparseToDense,
          .tile, .rsqrt, .argMin, .reduceMax, .reduceMin, .floorDiv, .mirrorPad,
          .splitV, .gelu,
        ]
      ),
      (
        4,
        [
          .lstm, .resizeBilinear, .softmax, .svdf, .batchToSpaceND, .spaceToBatchND,
          .unidirectionalSequenceLSTM, .maximum, .minimum, .select, .notEqual,
          .resizeNearestNeighbor, .reverseV2, .batchMatMul, .broadcastTo,
        ]
      ),
      (
        5,
        [
          .embeddingLookup, .sub, .split, .transposeConv, .equal, .pack, .fill, .abs,
        ]
      ),
      (
        6,
        [
          .add, .pad, .padV2, .unpack, .gatherND, .quantize, .dynamicUpdateSlice,
        ]
      ),
      (
        7,
        [
          .concatenation, .depthwiseConv2D,
        ]
      ),
      (
        8,
        [
          .conv2D, .mul, .gather, .stridedSlice, .slice,
        ]
      ),
      (
        9,
        [
          .dequantize, .transpose, .cast,
        ]
      ),
      (
        14,
        [
          .fullyConnected
        ]
      ),
    ]
    return Dictionary(
      codes.flatMap { version, codes in codes.map { ($0, version) } },
      uniquingKeysWith: { first, _ in first })
  }()

  /// Whether an operator in its version runs on LiteRT's optimised kernels, but not on its reference
  /// kernels.
  package static func isBeyondReference(_ identity: OperatorIdentity) -> Bool {
    guard let code = identity.code, let highest = highestReferenceVersions[code] else {
      return false
    }
    return identity.version > highest
  }

  /// The highest versions that LiteRT's reference kernels take, where its others take more; 0 where
  /// they lack the operator.
  private static let highestReferenceVersions: [OperatorCode: Int32] = [
    .add: 5,
    .depthwiseConv2D: 6,
    .depthToSpace: 1,
    .mul: 7,
    .softmax: 3,
    .transpose: 8,
    .squeeze: 1,
    .unidirectionalSequenceLSTM: 3,
    .stridedSlice: 4,
    .argMax: 2,
    .sin: 1,
    .tile: 2,
    .argMin: 2,
    .range: 1,
    .abs: 3,
    .ceil: 0,
    .cos: 1,
    .elu: 0,
    .round: 0,
    .segmentSum: 0,
    .hashtable: 0,
    .hashtableFind: 0,
    .hashtableImport: 0,
    .hashtableSize: 0,
    .gelu: 2,
    .stablehloAnd: 0,
    .stablehloShiftLeft: 0,
    .stablehloCase: 0,
  ]
}
