// SPDX-License-Identifier: Apache-2.0

package import ModelFormat

/// Every built-in operator with a kernel.
package enum OperatorCatalog {
  /// The operators in alphabetical order.
  package static let entries: [CatalogEntry] = [
    .add,
    .averagePool2D,
    .concatenation,
    .conv2D,
    .depthToSpace,
    .depthwiseConv2D,
    .expandDims,
    .fill,
    .gather,
    .gatherNd,
    .l2Pool2D,
    .maxPool2D,
    .pack,
    .pad,
    .padV2,
    .rank,
    .reshape,
    .shape,
    .slice,
    .spaceToDepth,
    .split,
    .splitV,
    .squeeze,
    .stridedSlice,
    .sub,
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
    [String: @Sendable (NodeDescription) throws(KernelError) -> any Operator] = [:]
}
