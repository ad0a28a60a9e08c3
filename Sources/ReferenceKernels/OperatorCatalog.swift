// SPDX-License-Identifier: Apache-2.0

package import ModelFormat

/// Every built-in operator with a kernel.
package enum OperatorCatalog {
  /// The operators in alphabetical order.
  package static let entries: [CatalogEntry] = [
    .abs,
    .add,
    .argMax,
    .argMin,
    .averagePool2D,
    .batchMatMul,
    .ceil,
    .concatenation,
    .conv2D,
    .cos,
    .depthToSpace,
    .depthwiseConv2D,
    .div,
    .elu,
    .exp,
    .expandDims,
    .fill,
    .floor,
    .floorDiv,
    .floorMod,
    .fullyConnected,
    .gather,
    .gatherNd,
    .gelu,
    .hardSwish,
    .l2Normalization,
    .l2Pool2D,
    .leakyRelu,
    .localResponseNormalization,
    .log,
    .logistic,
    .logSoftmax,
    .maximum,
    .maxPool2D,
    .mean,
    .minimum,
    .mul,
    .neg,
    .pack,
    .pad,
    .padV2,
    .pow,
    .prelu,
    .rank,
    .reduceAll,
    .reduceAny,
    .reduceMax,
    .reduceMin,
    .reduceProd,
    .relu,
    .relu0To1,
    .relu6,
    .reluN1To1,
    .reshape,
    .resizeBilinear,
    .resizeNearestNeighbor,
    .round,
    .rsqrt,
    .shape,
    .sign,
    .sin,
    .slice,
    .softmax,
    .spaceToDepth,
    .split,
    .splitV,
    .sqrt,
    .square,
    .squaredDifference,
    .squeeze,
    .stridedSlice,
    .sub,
    .sum,
    .tanh,
    .transpose,
    .transposeConv,
    .unpack,
    .zerosLike,
  ]

  /// The operators by code.
  package static let byCode = Dictionary(
    entries.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

  /// The custom operators that Martlet brings, by the name that models give them.
  package static let custom:
    [String: @Sendable (NodeDescription) throws(KernelError) -> any Operator] = [
      DetectionPostProcess.name: DetectionPostProcess.make
    ]
}
