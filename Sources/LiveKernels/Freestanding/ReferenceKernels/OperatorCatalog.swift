// SPDX-License-Identifier: Apache-2.0

/// The operators that a page can compute.
package enum OperatorCatalog {
  /// The operators in alphabetical order.
  package static let entries: [CatalogEntry] = [
    .add,
    .averagePool2D,
    .conv2D,
    .depthwiseConv2D,
    .fullyConnected,
    .logistic,
    .maxPool2D,
    .mul,
    .relu,
    .relu6,
    .softmax,
  ]
}
