// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// What a node computes, by the record of its operator and the types of its tensors.
struct NodeWork {
  /// What the node's work follows from.
  let types: OperandTypes
  /// The operator's record; nil where it is the caller's, or has no kernel.
  let entry: CatalogEntry?

  /// The work of `node`, whose tensors have these types by index; nil for unknown ones.
  init(_ node: ModelFile.Node, type: @escaping (Int) -> TensorType?) {
    types = OperandTypes(
      NodeDescription(node), inputs: node.inputs, outputs: node.outputs, type: type)
    entry = OperatorCatalog.entry(of: node.identity)
  }

  /// The multiply-adds of the node's matrix products and convolutions; 0 for operators without
  /// any, nil for those without a record and where a shape is missing.
  var multiplyAdds: Int? {
    switch entry?.work {
    case .products(weights: _, let count): count(types)
    case .elements, .nothing: 0
    case nil: nil
    }
  }

  /// Numbers that are computed one by one: the elements of the outputs, unless the operator's
  /// record counts others; nil where there is no record or a shape is missing.
  var elementOperations: Int? {
    switch entry?.work {
    case .products: types.outputElementCount
    case .elements(let count): count(types)
    case .nothing: 0
    case nil: nil
    }
  }

  /// Multiply-adds, or numbers that are computed one by one where there are none.
  var operationCount: Int? {
    multiplyAdds.flatMap { $0 == 0 ? elementOperations : $0 }
  }
}
