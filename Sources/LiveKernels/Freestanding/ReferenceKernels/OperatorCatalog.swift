// SPDX-License-Identifier: Apache-2.0

package import ModelSchema

/// The operators that a page can compute.
package enum OperatorCatalog {
  /// The record of an operator; nil where a page cannot compute it.
  package static func entry(of code: OperatorCode) -> CatalogEntry? {
    switch code {
    case .add: .add
    case .averagePool2D: .averagePool2D
    case .conv2D: .conv2D
    case .depthwiseConv2D: .depthwiseConv2D
    case .fullyConnected: .fullyConnected
    case .logistic: .logistic
    case .maxPool2D: .maxPool2D
    case .mul: .mul
    case .relu: .relu
    case .relu6: .relu6
    case .softmax: .softmax
    default: nil
    }
  }
}
