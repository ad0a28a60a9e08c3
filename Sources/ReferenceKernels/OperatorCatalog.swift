// SPDX-License-Identifier: Apache-2.0

package import ModelFormat

/// Every built-in operator with a kernel.
package enum OperatorCatalog {
  /// The operators in alphabetical order.
  package static let entries: [CatalogEntry] = [
    .add,
    .concatenation,
    .conv2D,
    .depthToSpace,
    .expandDims,
    .fill,
    .gather,
    .gatherNd,
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
    .unpack,
    .zerosLike,
  ]

  /// The operators by code.
  package static let byCode = Dictionary(
    entries.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
