// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

extension TensorTable {
  /// One of a node's inputs as its operator may see it.
  ///
  /// - Parameters:
  ///   - tensor: the index of the tensor.
  ///   - type: its type.
  ///   - declared: what the file says about it.
  ///   - showsValue: whether its values may be seen although a run computes them.
  /// - Returns: the input; without a value where that is not known.
  func operand(
    _ tensor: Int, _ type: TensorType, _ declared: ModelFile.Tensor, showsValue: Bool
  ) -> PrepareContext.Operand {
    if packed.contains(tensor), let sparsity = declared.sparsity {
      return PrepareContext.Operand(type, bytes: bytes[tensor], sparsity: sparsity)
    }
    let isConstant = sources[tensor] == .constant
    var operand = PrepareContext.Operand(
      type, bytes: isConstant || showsValue ? bytes[tensor] : nil, isConstant: isConstant,
      isVariable: sources[tensor] == .variable)
    operand.isSparse = isConstant && declared.sparsity != nil
    operand.blockScales = blockScales(of: declared)
    return operand
  }
}

extension PrepareContext {
  /// What a node's operator may see of it and of the model.
  init(
    _ node: ModelFile.Node, of subgraph: ModelFile.Subgraph, in model: Model,
    operands: [Operand?], rounding: Rounding
  ) {
    self.init(
      inputs: operands, declaredOutputs: node.outputs.map { subgraph.tensors[$0].type },
      intermediates: node.intermediates.map { $0 < 0 ? nil : subgraph.tensors[$0].type },
      rounding: rounding)
    productsRoundUp = rounding == .double && model.isBeyondReference
    subgraphOperators = model.file.operators(ofSubgraph:)
  }
}

extension ModelFile {
  /// The operators of the subgraph at `index`, in order; nil where there is none.
  @Sendable
  func operators(ofSubgraph index: Int) -> [OperatorIdentity]? {
    subgraphs.indices.contains(index) ? subgraphs[index].nodes.map(\.identity) : nil
  }
}
