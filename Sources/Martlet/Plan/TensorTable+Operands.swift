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
